package dev.syncguard.spring.boot;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.util.ClassUtils;

/** Connections to the database of a URL: pooled where HikariCP is there, else one for each operation. */
record OwnedPool(DataSource dataSource, Runnable closing) {

    static OwnedPool open(String url) {
        PGSimpleDataSource single = new PGSimpleDataSource();
        try {
            single.setUrl(url);
        } catch (IllegalArgumentException e) {
            // Its message shows the URL, which may have a password.
            throw new LockException(Code.INVALID_ARGUMENT, "the driver refuses this URL of a PostgreSQL database");
        }
        boolean pools = ClassUtils.isPresent("com.zaxxer.hikari.HikariDataSource", OwnedPool.class.getClassLoader());
        return pools ? Pooled.open(single) : new OwnedPool(single, () -> {});
    }

    void close() {
        closing.run();
    }

    /** A class of its own: it is loaded only if HikariCP is there. */
    private static final class Pooled {

        static OwnedPool open(DataSource single) {
            HikariConfig config = new HikariConfig();
            config.setPoolName("syncguard");
            config.setDataSource(single);
            config.setInitializationFailTimeout(-1);
            HikariDataSource pool = new HikariDataSource(config);
            return new OwnedPool(pool, pool::close);
        }
    }
}
