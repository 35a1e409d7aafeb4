package dev.syncguard.benchmarks.postgres;

import com.zaxxer.hikari.HikariDataSource;
import dev.syncguard.benchmarks.harness.Candidate;
import dev.syncguard.benchmarks.harness.GuardCandidate;
import java.time.Duration;
import java.time.Instant;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.jdbctemplate.JdbcTemplateLockProvider;
import org.springframework.jdbc.core.JdbcTemplate;

/** ShedLock on JDBC with the database's time. No waiting. */
final class ShedLockCandidate implements Candidate {

    private final HikariDataSource source;
    private final JdbcTemplateLockProvider provider;

    ShedLockCandidate(HikariDataSource source) {
        this.source = source;
        JdbcTemplate jdbc = new JdbcTemplate(source);
        jdbc.execute("CREATE TABLE IF NOT EXISTS shedlock (name varchar(64) PRIMARY KEY, lock_until timestamp NOT NULL,"
                + " locked_at timestamp NOT NULL, locked_by varchar(255) NOT NULL)");
        provider = new JdbcTemplateLockProvider(JdbcTemplateLockProvider.Configuration.builder()
                .withJdbcTemplate(jdbc)
                .usingDbTime()
                .build());
    }

    @Override
    public void locked(String key, Runnable body) {
        SimpleLock lock = provider.lock(new LockConfiguration(Instant.now(), key, GuardCandidate.TTL, Duration.ZERO))
                .orElseThrow();
        body.run();
        lock.unlock();
    }

    @Override
    public void close() {
        source.close();
    }
}
