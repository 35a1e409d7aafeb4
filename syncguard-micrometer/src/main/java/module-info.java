/** Micrometer meters and observations of locks. */
module dev.syncguard.micrometer {
    requires transitive dev.syncguard.core;
    requires transitive micrometer.core;
    requires transitive micrometer.observation;
    requires micrometer.commons;
    requires static org.jspecify;

    exports dev.syncguard.micrometer;
}
