package dev.syncguard.cli.store;

import dev.syncguard.postgres.PostgresLockBackend;
import dev.syncguard.postgres.PostgresLockBackendBuilder;
import dev.syncguard.postgres.PostgresNames;
import dev.syncguard.spi.LockBackend;
import org.postgresql.ds.PGSimpleDataSource;

/** {@code postgresql://user:password@host:port/database}, or the URL of the JDBC driver. */
final class PostgresScheme {

    private static final int CONNECT_SECONDS = 5;
    private static final String VERIFY = "verify-";
    private static final String OF_JDK = "org.postgresql.ssl.DefaultJavaSSLFactory";
    private static final String OF_FILE = "org.postgresql.ssl.LibPQFactory";

    private PostgresScheme() {}

    static LockBackend open(StoreAddress address) {
        DriverLogs.silence();
        String url = PostgresUrl.forDriver(address);
        PGSimpleDataSource source = new PGSimpleDataSource();
        try {
            source.setUrl(url);
        } catch (IllegalArgumentException e) {
            throw PostgresUrl.invalid(); // its message shows the URL
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
        secure(source, address.settings());
        return build(PostgresLockBackend.builder(source), address.settings());
    }

    /**
     * Certificates that are named count whatever {@code sslmode} and {@code sslfactory} of the URL say: with most of them the
     * driver would look at no certificate at all. Without them the JDK's count, where the driver would want a file.
     */
    private static void secure(PGSimpleDataSource source, StoreSettings settings) {
        settings.ifSet(StoreSetting.TLS_CA, source::setSslRootCert);
        settings.ifSet(
                StoreSetting.TLS_VERIFY, what -> source.setSslMode(what.equals("none") ? "require" : VERIFY + what));
        boolean isChosen = settings.has(StoreSetting.TLS_VERIFY);
        if (settings.has(StoreSetting.TLS_CA) && !isChosen && !isVerified(source)) {
            source.setSslMode(VERIFY + "full");
        }
        if ((settings.has(StoreSetting.TLS_CA) || isChosen) && isVerified(source)) {
            source.setSslfactory(source.getSslRootCert() == null ? OF_JDK : OF_FILE);
        }
    }

    private static boolean isVerified(PGSimpleDataSource source) {
        return source.getSslMode() != null && source.getSslMode().startsWith(VERIFY);
    }

    private static LockBackend build(PostgresLockBackendBuilder builder, StoreSettings settings) {
        settings.fenceMode(builder::fenceMode);
        settings.commandTimeout(builder::commandTimeout);
        if (settings.isTrue(StoreSetting.ASSUME_NO_OTHER_LIBRARY)) {
            builder.assumeNoOtherLibrary();
        }
        return builder.names(names(settings)).build();
    }

    /** Returns the tables that were asked for. */
    static PostgresNames names(StoreSettings settings) {
        PostgresNames defaults = PostgresNames.defaults();
        return new PostgresNames(
                settings.get(StoreSetting.SCHEMA, defaults.schema()),
                settings.get(StoreSetting.LOCK_TABLE, defaults.locks()),
                settings.get(StoreSetting.COUNTER_TABLE, defaults.counters()));
    }
}
