/** Spring Integration's lock registry on any SyncGuard store. */
module dev.syncguard.spring.integration {
    requires transitive dev.syncguard.core;
    requires transitive spring.integration.core;
    requires static org.jspecify;

    exports dev.syncguard.spring.integration;
}
