/** SyncGuard on PostgreSQL: locks beside the data, one statement each. */
module dev.syncguard.postgres {
    requires transitive dev.syncguard.core;
    requires transitive java.sql;
    requires org.postgresql.jdbc;
    requires static org.checkerframework.checker.qual;
    requires static org.jspecify;

    exports dev.syncguard.postgres;
}
