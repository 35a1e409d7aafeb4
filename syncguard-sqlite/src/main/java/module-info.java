/** SyncGuard on SQLite: locks in one file, for the processes of one machine. */
module dev.syncguard.sqlite {
    requires transitive dev.syncguard.core;
    requires java.sql;
    requires org.xerial.sqlitejdbc;
    requires static org.jspecify;

    exports dev.syncguard.sqlite;
}
