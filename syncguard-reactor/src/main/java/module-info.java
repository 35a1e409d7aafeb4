/** Locks for Reactor. */
module dev.syncguard.reactor {
    requires transitive dev.syncguard.core;
    requires transitive org.reactivestreams;
    requires transitive reactor.core;
    requires static org.jspecify;

    exports dev.syncguard.reactor;
}
