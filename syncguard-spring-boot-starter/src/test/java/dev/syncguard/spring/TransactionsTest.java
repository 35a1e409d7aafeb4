package dev.syncguard.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.syncguard.Lease;
import dev.syncguard.LeaseLostException;
import dev.syncguard.SyncGuard;
import dev.syncguard.spring.boot.Contexts;
import dev.syncguard.spring.boot.LocksInPostgres;
import dev.syncguard.testbed.PostgresServer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** A real PostgreSQL, with the application's pool for data and locks alike. */
class TransactionsTest {

    private static ConfigurableApplicationContext context;
    private static SyncGuard guard;
    private static Accounts accounts;
    private static JdbcTemplate jdbc;
    private static TransactionTemplate transaction;

    @BeforeAll
    static void start() {
        context = Contexts.start(
                App.class,
                "spring.datasource.url=" + PostgresServer.sharedUrl(),
                "syncguard.postgres.initialize-schema=create",
                "syncguard.postgres.schema=spring_transactions");
        guard = context.getBean(SyncGuard.class);
        accounts = context.getBean(Accounts.class);
        jdbc = context.getBean(JdbcTemplate.class);
        transaction = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
        jdbc.execute("CREATE TABLE IF NOT EXISTS spring_accounts (id int PRIMARY KEY, balance int NOT NULL)");
    }

    @BeforeEach
    void empty() {
        jdbc.update("DELETE FROM spring_accounts");
        jdbc.update("INSERT INTO spring_accounts VALUES (1, 0)");
    }

    @AfterAll
    static void stop() {
        jdbc.execute("DROP TABLE spring_accounts");
        context.close();
    }

    @Test
    @DisplayName("the lock is taken before the method's transaction begins and outlives its commit")
    void outlivesCommit() {
        List<String> events = new ArrayList<>();
        accounts.observe(events);

        assertThat(events).containsExactly("locked in transaction", "locked after commit");
        assertThat(guard.isLocked("account:1")).isFalse();
    }

    @Test
    @DisplayName("read, compute and write by many threads loses no update, because each sees the commit before")
    void noLostUpdate() {
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            all.add(CompletableFuture.runAsync(() -> accounts.increment(1)));
        }
        all.forEach(CompletableFuture::join);

        assertThat(balance()).isEqualTo(20);
    }

    @Test
    @DisplayName("inside of the caller's transaction the lock is kept until that has ended")
    void outerTransaction() {
        transaction.executeWithoutResult(status -> {
            accounts.increment(1);
            assertThat(guard.isLocked("account:1")).isTrue();
        });

        assertThat(guard.isLocked("account:1")).isFalse();
        assertThat(balance()).isEqualTo(1);
    }

    @Test
    @DisplayName("a transaction that locks a key twice does not wait for itself")
    void twice() {
        transaction.executeWithoutResult(status -> {
            accounts.increment(1);
            accounts.increment(1);
        });

        assertThat(balance()).isEqualTo(2);
        assertThat(guard.isLocked("account:1")).isFalse();
    }

    @Test
    @DisplayName("a rollback of the caller's transaction releases the lock")
    void rollback() {
        transaction.executeWithoutResult(status -> {
            accounts.increment(1);
            status.setRollbackOnly();
        });

        assertThat(guard.isLocked("account:1")).isFalse();
        assertThat(balance()).isZero();
    }

    @Test
    @DisplayName("a caller's transaction does not commit after it has lost the lock")
    void lossRollsBack() {
        assertThatThrownBy(() -> transaction.executeWithoutResult(status -> {
                    Contexts.expire(accounts.incrementAndTell(1));
                }))
                .isInstanceOf(LeaseLostException.class);

        assertThat(balance()).isZero();
    }

    @Test
    @DisplayName("contention inside of the caller's transaction is skipped as elsewhere")
    void skipInTransaction() {
        Contexts.whileHeld(guard, "account:1", () -> {
            AtomicBoolean ran = new AtomicBoolean(true);
            transaction.executeWithoutResult(status -> ran.set(accounts.skipped(1) != null));
            assertThat(ran).isFalse();
        });
    }

    private static int balance() {
        return jdbc.queryForObject("SELECT balance FROM spring_accounts WHERE id = 1", Integer.class);
    }

    static class Accounts {

        private final JdbcTemplate jdbc;
        private final SyncGuard guard;

        Accounts(JdbcTemplate jdbc, SyncGuard guard) {
            this.jdbc = jdbc;
            this.guard = guard;
        }

        @Locked(key = "'account:' + #id", ttl = "1m", waitAtMost = "1m")
        @Transactional
        public void increment(int id) {
            int balance = jdbc.queryForObject("SELECT balance FROM spring_accounts WHERE id = ?", Integer.class, id);
            jdbc.update("UPDATE spring_accounts SET balance = ? WHERE id = ?", balance + 1, id);
        }

        @Locked(key = "'account:' + #id", ttl = "1m")
        @Transactional
        public Lease incrementAndTell(int id) {
            jdbc.update("UPDATE spring_accounts SET balance = balance + 1 WHERE id = ?", id);
            return CurrentLease.get();
        }

        @Locked(key = "'account:' + #id", waitAtMost = "0", onContention = OnContention.SKIP)
        @Transactional
        public String skipped(int id) {
            return "ran";
        }

        @Locked(key = "'account:1'", ttl = "1m")
        @Transactional
        public void observe(List<String> events) {
            note(events, "in transaction");
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCompletion(int status) {
                    note(events, status == STATUS_COMMITTED ? "after commit" : "after rollback");
                }
            });
        }

        private void note(List<String> events, String when) {
            events.add((guard.isLocked("account:1") ? "locked " : "free ") + when);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @LocksInPostgres
    static class App {

        @Bean
        Accounts accounts(JdbcTemplate jdbc, SyncGuard guard) {
            return new Accounts(jdbc, guard);
        }
    }
}
