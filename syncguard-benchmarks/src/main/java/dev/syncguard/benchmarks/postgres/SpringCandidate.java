package dev.syncguard.benchmarks.postgres;

import com.zaxxer.hikari.HikariDataSource;
import dev.syncguard.benchmarks.harness.Candidate;
import java.util.concurrent.locks.Lock;
import org.springframework.integration.jdbc.lock.DefaultLockRepository;
import org.springframework.integration.jdbc.lock.JdbcLockRegistry;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;

/** Spring Integration's JdbcLockRegistry. */
final class SpringCandidate implements Candidate {

    private final HikariDataSource source;
    private final JdbcLockRegistry registry;

    SpringCandidate(HikariDataSource source) {
        this.source = source;
        new JdbcTemplate(source)
                .execute(
                        "CREATE TABLE IF NOT EXISTS INT_LOCK (LOCK_KEY char(36) NOT NULL, REGION varchar(100) NOT NULL,"
                                + " CLIENT_ID char(36), CREATED_DATE timestamp NOT NULL, EXPIRED_AFTER timestamp NOT NULL,"
                                + " PRIMARY KEY (LOCK_KEY, REGION))");
        DefaultLockRepository repository = new DefaultLockRepository(source);
        repository.setTransactionManager(new JdbcTransactionManager(source));
        repository.afterPropertiesSet();
        repository.afterSingletonsInstantiated();
        repository.start();
        registry = new JdbcLockRegistry(repository);
    }

    @Override
    public void locked(String key, Runnable body) {
        Lock lock = registry.obtain(key);
        lock.lock();
        try {
            body.run();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        source.close();
    }
}
