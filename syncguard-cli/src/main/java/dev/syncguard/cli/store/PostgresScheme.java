package dev.syncguard.cli.store;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.postgres.PostgresLockBackend;
import dev.syncguard.postgres.PostgresLockBackendBuilder;
import dev.syncguard.spi.LockBackend;
import org.postgresql.ds.PGSimpleDataSource;

/** {@code postgresql://user:password@host:port/database}, or the URL of the JDBC driver. */
final class PostgresScheme {

    private static final int CONNECT_SECONDS = 5;

    private PostgresScheme() {}

    static LockBackend open(StoreAddress address) {
        DriverLogs.silence();
        PostgresUrl url = PostgresUrl.of(address);
        PGSimpleDataSource source = new PGSimpleDataSource();
        try {
            source.setUrl(url.jdbcUrl());
        } catch (IllegalArgumentException e) {
            // Its message shows the URL.
            throw new LockException(Code.INVALID_ARGUMENT, "invalid PostgreSQL URL");
        }
        if (address.user() != null) {
            source.setUser(address.user());
        }
        if (address.effectivePassword() != null) {
            source.setPassword(address.effectivePassword());
        }
        source.setConnectTimeout(CONNECT_SECONDS);
        source.setLoginTimeout(CONNECT_SECONDS);
        source.setApplicationName("syncguard");
        PostgresLockBackendBuilder builder = PostgresLockBackend.builder(source);
        return (url.noOtherLibrary() ? builder.assumeNoOtherLibrary() : builder).build();
    }
}
