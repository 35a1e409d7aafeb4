/** SyncGuard: distributed locks with fencing tokens. No third-party module is needed at run time. */
module dev.syncguard.core {
    requires static transitive org.jspecify;

    exports dev.syncguard;
    exports dev.syncguard.fence;
    exports dev.syncguard.locks;
    exports dev.syncguard.memory;
    exports dev.syncguard.spi;
    exports dev.syncguard.spi.support;
    exports dev.syncguard.telemetry;
}
