package dev.syncguard.cli.store;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.postgres.PostgresLockBackend;
import dev.syncguard.spi.LockBackend;
import org.postgresql.ds.PGSimpleDataSource;

/** {@code postgresql://user:password@host:port/database}, or the URL of the JDBC driver. */
final class PostgresScheme {

    private static final int CONNECT_SECONDS = 5;

    private PostgresScheme() {}

    static LockBackend open(StoreAddress address) {
        DriverLogs.silence();
        PGSimpleDataSource source = new PGSimpleDataSource();
        try {
            source.setUrl(jdbcUrl(address));
        } catch (IllegalArgumentException e) {
            throw malformed();
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
        return PostgresLockBackend.builder(source).build();
    }

    private static String jdbcUrl(StoreAddress address) {
        String url = address.withoutUser();
        if (!address.scheme().equals("jdbc")) {
            return "jdbc:postgresql" + url.substring(url.indexOf(':'));
        }
        if (!url.startsWith("jdbc:postgresql:")) {
            throw malformed();
        }
        return url;
    }

    private static LockException malformed() {
        return new LockException(
                Code.INVALID_ARGUMENT,
                "this is no URL of a PostgreSQL server; it looks like postgresql://user@host:5432/database");
    }
}
