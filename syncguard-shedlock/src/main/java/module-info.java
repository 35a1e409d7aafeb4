/** ShedLock's lock provider on any SyncGuard store. */
module dev.syncguard.shedlock {
    requires transitive dev.syncguard.core;
    requires transitive net.javacrumbs.shedlock.core;
    requires static org.jspecify;

    exports dev.syncguard.shedlock;
}
