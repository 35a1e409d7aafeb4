/** Fence guards for JDBC: a stale writer is refused in the transaction of its write. */
module dev.syncguard.fence.jdbc {
    requires transitive dev.syncguard.core;
    requires transitive java.sql;
    requires static org.jspecify;

    exports dev.syncguard.fence.jdbc;
}
