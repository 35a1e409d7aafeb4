package dev.syncguard.postgres;

import static dev.syncguard.postgres.Locks.MINUTE;
import static dev.syncguard.postgres.Locks.NONE;
import static dev.syncguard.postgres.Locks.acquire;
import static dev.syncguard.postgres.Locks.failure;
import static dev.syncguard.postgres.Locks.grant;
import static dev.syncguard.postgres.Locks.newKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.syncguard.Fence;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockKey;
import dev.syncguard.spi.AcquireOutcome.Granted;
import dev.syncguard.spi.LockBackend;
import dev.syncguard.spi.ReleaseOutcome;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.postgresql.PGConnection;

/** What a backend does with the connections it is given. */
@TestInstance(Lifecycle.PER_CLASS)
class PostgresConnectionsTest {

    private final TestDatabase database = TestDatabase.create();

    @AfterAll
    void close() {
        database.close();
    }

    /** A DataSource that always gives the same connection, as a transaction-aware proxy does. */
    private static DataSource bound(Connection connection) {
        return bound(connection, Map.of());
    }

    private static DataSource bound(Connection connection, Map<Class<?>, Object> unwrapped) {
        Connection unclosable = (Connection) Proxy.newProxyInstance(
                Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("close")) {
                        return null;
                    }
                    if (method.getName().equals("unwrap") && unwrapped.containsKey(arguments[0])) {
                        return unwrapped.get(arguments[0]);
                    }
                    try {
                        return method.invoke(connection, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
        return giving(() -> unclosable);
    }

    private interface Giver {
        Connection give() throws SQLException;
    }

    private static DataSource giving(Giver giver) {
        return (DataSource) Proxy.newProxyInstance(
                DataSource.class.getClassLoader(),
                new Class<?>[] {DataSource.class},
                (proxy, method, arguments) -> giver.give());
    }

    private LockBackend on(DataSource source) {
        return PostgresLockBackend.builder(source)
                .names(database.names)
                .pollOnly()
                .build();
    }

    @Test
    @DisplayName("a connection with an open transaction is refused, and neither committed nor rolled back")
    void refusesOpenTransaction() throws Exception {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TEMP TABLE work (n int)");
            connection.setAutoCommit(false);
            statement.execute("INSERT INTO work VALUES (1)");
            LockKey key = newKey();

            LockException failure = failure(() -> acquire(on(bound(connection)), key));

            assertThat(failure.code()).isEqualTo(Code.INVALID_ARGUMENT);
            assertThat(failure).hasMessageContaining("open transaction").hasMessageContaining("not bound");
            assertThat(failure.outcomeUnknown()).isFalse();
            connection.rollback();
            try (var rows = statement.executeQuery("SELECT count(*) FROM work")) {
                rows.next();
                assertThat(rows.getInt(1)).isZero();
            }
        }
    }

    @Test
    @DisplayName("a transaction that was begun by hand is noticed, too")
    void refusesTransactionByHand() throws Exception {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("BEGIN");

            assertThat(failure(() -> acquire(on(bound(connection)), newKey())).code())
                    .isEqualTo(Code.INVALID_ARGUMENT);
        }
    }

    @Test
    @DisplayName("an idle connection without autocommit is switched, and comes back as it was")
    void switchesIdleConnection() throws Exception {
        try (Connection connection = database.connect()) {
            connection.setAutoCommit(false);
            connection.setNetworkTimeout(Runnable::run, 12_345);
            LockKey key = newKey();
            LockBackend backend = on(bound(connection));

            // Not an acquire: the first one has a look at the settings, which would borrow this one connection as well.
            backend.raiseFence(key, new Fence(7), NONE);

            assertThat(connection.getAutoCommit()).isFalse();
            assertThat(connection.getNetworkTimeout()).isEqualTo(12_345);
            connection.rollback();
            assertThat(new PostgresProbe(database).fenceCounter(key.value())).isEqualTo(7);
        }
    }

    @Test
    @DisplayName("a pool whose connections do not commit by themselves works")
    void manualCommitPool() {
        try (HikariDataSource pool = TestDatabase.pool(database.url, 2, config -> config.setAutoCommit(false))) {
            LockBackend backend = on(pool);

            Granted granted = grant(backend, newKey());

            assertThat(on(database.pool).release(granted.lockId(), NONE)).isEqualTo(ReleaseOutcome.RELEASED);
        }
    }

    @Test
    @DisplayName("a pooler that loses prepared statements does not matter")
    void lostStatements() {
        LockBackend backend = on(giving(() -> {
            Connection connection = database.pool.getConnection();
            try (Statement statement = connection.createStatement()) {
                statement.execute("DEALLOCATE ALL");
            }
            return connection;
        }));
        LockKey key = newKey();

        for (int i = 0; i < 30; i++) {
            Granted granted = grant(backend, key);
            assertThat(backend.release(granted.lockId(), NONE)).isEqualTo(ReleaseOutcome.RELEASED);
        }
    }

    @Test
    @DisplayName("behind a pooler no statement gets a name that another session may know for something else")
    void behindPooler() throws Exception {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            PGConnection pooled = (PGConnection) Proxy.newProxyInstance(
                    PGConnection.class.getClassLoader(),
                    new Class<?>[] {PGConnection.class},
                    (proxy, method, all) -> 0);
            LockKey key = newKey();
            for (boolean direct : new boolean[] {false, true}) {
                LockBackend backend = on(bound(connection, direct ? Map.of() : Map.of(PGConnection.class, pooled)));
                for (int i = 0; i < 10; i++) {
                    backend.release(grant(backend, key).lockId(), NONE);
                }
                try (var rows = statement.executeQuery(
                        "SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE '%syncguard%'")) {
                    rows.next();
                    assertThat(rows.getInt(1)).isEqualTo(direct ? 2 : 0);
                }
            }
        }
    }

    @Test
    @DisplayName("without prepared statements all works as well")
    void withoutPreparedStatements() {
        LockBackend backend = on(TestDatabase.plain(database.url + "&prepareThreshold=0&preferQueryMode=simple"));
        LockKey key = newKey();

        for (int i = 0; i < 10; i++) {
            Granted granted = grant(backend, key);
            backend.extend(granted.lockId(), MINUTE, NONE);
            assertThat(backend.release(granted.lockId(), NONE)).isEqualTo(ReleaseOutcome.RELEASED);
        }
    }

    @Test
    @DisplayName("an interrupted thread can release, even if it has to wait for a connection, and stays interrupted")
    void interrupted() throws Exception {
        try (HikariDataSource pool = TestDatabase.pool(database.url, 1)) {
            LockBackend backend = on(pool);
            Granted granted = grant(backend, newKey());
            Connection hogged = pool.getConnection();
            CompletableFuture<Boolean> stillInterrupted = new CompletableFuture<>();
            Thread releasing = new Thread(() -> {
                Thread.currentThread().interrupt();
                ReleaseOutcome outcome = backend.release(granted.lockId(), NONE);
                stillInterrupted.complete(Thread.currentThread().isInterrupted() && outcome == ReleaseOutcome.RELEASED);
            });
            releasing.start();
            org.awaitility.Awaitility.await()
                    .until(() -> pool.getHikariPoolMXBean().getThreadsAwaitingConnection() >= 1
                            && releasing.getState() == Thread.State.TIMED_WAITING);
            releasing.interrupt();
            hogged.close();

            assertThat(stillInterrupted.join()).isTrue();
        }
    }

    @Test
    @DisplayName("an exhausted pool is RateLimited, and nothing is unknown")
    void exhaustedPool() throws Exception {
        try (HikariDataSource pool = TestDatabase.pool(database.url, 1, config -> config.setConnectionTimeout(250))) {
            try (Connection hogged = pool.getConnection()) {
                LockException failure = failure(() -> acquire(on(pool), newKey()));

                assertThat(failure.code()).isEqualTo(Code.RATE_LIMITED);
                assertThat(failure.outcomeUnknown()).isFalse();
                assertThat(hogged.isClosed()).isFalse();
            }
        }
    }

    @Test
    @DisplayName("a connection that its pool cannot set up goes back, whatever it throws")
    void givesBackWhatItCannotUse() {
        AtomicInteger closed = new AtomicInteger();
        Connection old = (Connection) Proxy.newProxyInstance(
                Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("close")) {
                        closed.incrementAndGet();
                        return null;
                    }
                    throw new AbstractMethodError("a pool older than JDBC 4.1");
                });

        assertThatThrownBy(() -> acquire(on(giving(() -> old)), newKey())).isInstanceOf(AbstractMethodError.class);

        assertThat(closed).hasValue(1);
    }
}
