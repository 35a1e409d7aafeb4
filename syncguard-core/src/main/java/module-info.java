/** SyncGuard: distributed locks whose holders can be judged. No third-party module is needed at run time. */
module dev.syncguard.core {
    requires static transitive org.jspecify;

    exports dev.syncguard;
    exports dev.syncguard.fence;
    exports dev.syncguard.memory;
    exports dev.syncguard.spi;
    exports dev.syncguard.spi.support;
    exports dev.syncguard.telemetry;
}
