package dev.syncguard.benchmarks.postgres;

import com.zaxxer.hikari.HikariDataSource;
import dev.syncguard.benchmarks.harness.Candidate;
import dev.syncguard.benchmarks.harness.GuardCandidate;
import dev.syncguard.benchmarks.harness.LockRegistryCandidate;
import dev.syncguard.benchmarks.harness.ShedLockCandidate;
import net.javacrumbs.shedlock.provider.jdbctemplate.JdbcTemplateLockProvider;
import org.springframework.integration.jdbc.lock.DefaultLockRepository;
import org.springframework.integration.jdbc.lock.JdbcLockRegistry;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;

/** Libraries on Spring's JDBC, with the tables that their documentation gives. */
final class SpringJdbc {

    private static final String REGISTRY_TABLE =
            "CREATE TABLE IF NOT EXISTS INT_LOCK (LOCK_KEY char(36) NOT NULL, REGION varchar(100) NOT NULL,"
                    + " CLIENT_ID char(36), CREATED_DATE timestamp NOT NULL, EXPIRED_AFTER timestamp NOT NULL,"
                    + " PRIMARY KEY (LOCK_KEY, REGION))";
    private static final String SHEDLOCK_TABLE =
            "CREATE TABLE IF NOT EXISTS shedlock (name varchar(64) PRIMARY KEY, lock_until timestamp NOT NULL,"
                    + " locked_at timestamp NOT NULL, locked_by varchar(255) NOT NULL)";

    private SpringJdbc() {}

    static Candidate registry(HikariDataSource pool) {
        new JdbcTemplate(pool).execute(REGISTRY_TABLE);
        DefaultLockRepository repository = new DefaultLockRepository(pool);
        repository.setTransactionManager(new JdbcTransactionManager(pool));
        repository.afterPropertiesSet();
        repository.afterSingletonsInstantiated();
        repository.start();
        return new LockRegistryCandidate(new JdbcLockRegistry(repository, GuardCandidate.TTL), pool);
    }

    /** With the time of the database. */
    static Candidate shedLock(HikariDataSource pool) {
        JdbcTemplate jdbc = new JdbcTemplate(pool);
        jdbc.execute(SHEDLOCK_TABLE);
        JdbcTemplateLockProvider.Configuration configuration = JdbcTemplateLockProvider.Configuration.builder()
                .withJdbcTemplate(jdbc)
                .usingDbTime()
                .build();
        return new ShedLockCandidate(new JdbcTemplateLockProvider(configuration), pool);
    }
}
