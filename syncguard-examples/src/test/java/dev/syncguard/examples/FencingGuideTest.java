package dev.syncguard.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.FirestoreOptions;
import com.sun.net.httpserver.HttpServer;
import dev.syncguard.Fence;
import dev.syncguard.Lease;
import dev.syncguard.LeaseLostException;
import dev.syncguard.LockOptions;
import dev.syncguard.SyncGuard;
import dev.syncguard.fence.StaleFenceException;
import dev.syncguard.fence.http.FenceProblem;
import dev.syncguard.fence.http.FencedRequests;
import dev.syncguard.firestore.FirestoreFenceGuard;
import dev.syncguard.memory.LockSimulator;
import dev.syncguard.postgres.PostgresLeaseCheck;
import dev.syncguard.postgres.PostgresLockBackend;
import dev.syncguard.postgres.PostgresNames;
import dev.syncguard.postgres.PostgresSchema;
import dev.syncguard.redis.RedisFenceGuard;
import dev.syncguard.testbed.PostgresServer;
import dev.syncguard.testbed.RedisServer;
import dev.syncguard.testbed.firestore.FirestoreServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** Runs the code of docs/guide/fencing.md: in order, and by a stale holder. */
class FencingGuideTest {

    private final LockSimulator simulator = new LockSimulator();
    private final SyncGuard guard = simulator.newGuard();

    @Test
    void checkAndWrite() {
        List<String> paper = new ArrayList<>();

        assertThat(FencingGuide.checkAndWrite(guard, simulator.fenceGuard(), paper::add))
                .isEqualTo("printed");
        simulator.fenceGuard().advance("printer:1", new Fence(1000));
        assertThat(FencingGuide.checkAndWrite(guard, simulator.fenceGuard(), paper::add))
                .startsWith("refused: 000000000001000 was here before");
        assertThat(paper).hasSize(1);
    }

    @Test
    void databases() throws Exception {
        JdbcDataSource h2 = new JdbcDataSource();
        h2.setUrl("jdbc:h2:mem:guide;DB_CLOSE_DELAY=-1");
        database(h2);
        try (PostgresServer server = PostgresServer.start(Map.of())) {
            PGSimpleDataSource postgres = new PGSimpleDataSource();
            postgres.setUrl(server.url());
            database(postgres);
        }
    }

    private void database(DataSource dataSource) throws Exception {
        SyncGuard fresh = new LockSimulator().newGuard();
        try (Connection connection = dataSource.getConnection()) {
            FencingGuide.FENCES.createTable(connection);
            connection
                    .createStatement()
                    .execute("CREATE TABLE accounts (id BIGINT PRIMARY KEY, balance BIGINT, fence BIGINT)");
            connection.createStatement().execute("INSERT INTO accounts VALUES (7, 0, 0)");
            FencingGuide.deposit(fresh, dataSource);
            FencingGuide.depositAgainAndAgain(fresh, dataSource);
            assertThat(balance(connection)).isEqualTo(200);

            Lease lease = fresh.acquire("account:7");
            FencingGuide.fenceColumn(connection, lease);
            assertThat(balance(connection)).isEqualTo(300);
            connection.createStatement().execute("UPDATE accounts SET fence = 1000");
            assertThatThrownBy(() -> FencingGuide.fenceColumn(connection, lease))
                    .isInstanceOf(StaleFenceException.class);
            lease.close();

            connection.setAutoCommit(false);
            FencingGuide.FENCES.advance(connection, "account:7", new Fence(1000));
            connection.commit();
            assertThatThrownBy(() -> FencingGuide.deposit(fresh, dataSource)).isInstanceOf(StaleFenceException.class);
            assertThat(balance(connection)).isEqualTo(300);
            connection.commit();
            overHttp(dataSource);
            assertThat(balance(connection)).isEqualTo(400);
        }
    }

    /** A holder with the fence 1000 is served, the next one, whose lock has lost its counter, is refused. */
    private static void overHttp(DataSource dataSource) throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            try {
                Optional<FenceProblem> refusal =
                        FencingGuide.answer(exchange.getRequestHeaders().get(FencedRequests.HEADER), dataSource);
                refusal.flatMap(FenceProblem::header)
                        .ifPresent(fence -> exchange.getResponseHeaders().set(FencedRequests.HEADER, fence));
                exchange.sendResponseHeaders(refusal.map(FenceProblem::status).orElse(204), -1);
            } catch (SQLException e) {
                exchange.sendResponseHeaders(500, -1);
            }
            exchange.close();
        });
        server.start();
        try {
            URI account = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
            LockSimulator simulator = new LockSimulator();
            simulator.setFenceCounter("account:7", 999);
            FencingGuide.overHttp(simulator.newGuard(), HttpClient.newHttpClient(), account);
            SyncGuard stale = new LockSimulator().newGuard();
            assertThatThrownBy(() -> FencingGuide.overHttp(stale, HttpClient.newHttpClient(), account))
                    .isInstanceOf(StaleFenceException.class);
            server.createContext("/broken", exchange -> {
                exchange.sendResponseHeaders(500, -1);
                exchange.close();
            });
            assertThatThrownBy(() -> FencingGuide.overHttp(
                            simulator.newGuard(), HttpClient.newHttpClient(), account.resolve("/broken")))
                    .hasMessage("the service answered 500");
        } finally {
            server.stop(0);
        }
    }

    private static long balance(Connection connection) throws SQLException {
        try (ResultSet rows = connection.createStatement().executeQuery("SELECT balance FROM accounts")) {
            rows.next();
            return rows.getLong(1);
        }
    }

    @Test
    void exclusion() throws Exception {
        try (PostgresServer server = PostgresServer.start(Map.of())) {
            PGSimpleDataSource source = new PGSimpleDataSource();
            source.setUrl(server.url());
            PostgresSchema.create(source, PostgresNames.defaults());
            try (SyncGuard onPostgres =
                            SyncGuard.of(PostgresLockBackend.builder(source).build());
                    Connection connection = source.getConnection()) {
                connection.createStatement().execute("CREATE TABLE accounts (id BIGINT PRIMARY KEY, balance BIGINT)");
                connection.createStatement().execute("INSERT INTO accounts VALUES (7, 0)");

                FencingGuide.exclusion(onPostgres, PostgresLeaseCheck.create(), source);

                assertThat(balance(connection)).isEqualTo(100);
                assertThat(onPostgres.isLocked("account:7")).isFalse();
            }
        }
    }

    @Test
    void redis() {
        RedisClient client;
        try (RedisServer server = RedisServer.start()) {
            client = FencingGuide.redisClient(server.url());
            StatefulRedisConnection<String, String> connection = client.connect();
            RedisFenceGuard fences = RedisFenceGuard.on(connection);

            FencingGuide.redis(guard, fences);
            assertThat(connection.sync().get("account:7")).isEqualTo("{\"balance\":100}");
            assertThat(FencingGuide.versionCounter(guard, fences)).isEqualTo(1);
            assertThat(FencingGuide.versionCounter(guard, fences)).isEqualTo(2);

            fences.advance("counter", new Fence(1000));
            assertThatThrownBy(() -> FencingGuide.versionCounter(guard, fences))
                    .isInstanceOf(StaleFenceException.class);
            assertThat(connection.sync().get("counter")).isEqualTo("2");
            client.shutdown();
        }
    }

    /** The older holder comes between the read and the write of the next one: either it is refused, or it is seen. */
    @Test
    void readAndWrite() {
        try (RedisServer server = RedisServer.start()) {
            RedisClient client = FencingGuide.redisClient(server.url());
            StatefulRedisConnection<String, String> connection = client.connect();
            RedisFenceGuard fences = RedisFenceGuard.on(connection);
            Lease late = guard.acquire("account:7");
            fences.set("account:7", "100", late.fence());
            simulator.pauseHolder("account:7", Duration.ofMinutes(1));

            String after = FencingGuide.readAndWrite(simulator.newGuard(), fences, connection, before -> {
                assertThatThrownBy(() -> fences.set("account:7", before + " and lost", late.fence()))
                        .isInstanceOf(StaleFenceException.class);
                return before + " and next";
            });

            assertThat(after).isEqualTo("100 and next");
            assertThat(connection.sync().get("account:7")).isEqualTo(after);
            client.shutdown();
        }
    }

    @Test
    void firestore() throws Exception {
        try (FirestoreServer server = FirestoreServer.start()) {
            Firestore client = FirestoreOptions.newBuilder()
                    .setProjectId("syncguard-test")
                    .setEmulatorHost(server.hostAndPort())
                    .build()
                    .getService();
            FirestoreFenceGuard fences = FirestoreFenceGuard.create(client);

            FencingGuide.firestore(guard, client, fences);
            FencingGuide.firestore(guard, client, fences);
            assertThat(client.document("accounts/7").get().get().getLong("balance"))
                    .isEqualTo(200);

            client.runTransaction(transaction -> {
                        fences.advance(transaction, "account:7", new Fence(1000));
                        return true;
                    })
                    .get();
            assertThatThrownBy(() -> FencingGuide.firestore(guard, client, fences))
                    .hasStackTraceContaining("StaleFenceException");
            assertThat(client.document("accounts/7").get().get().getLong("balance"))
                    .isEqualTo(200);
            client.shutdownNow();
        }
    }

    @Test
    void otherPlaces() {
        List<Fence> calls = new ArrayList<>();

        assertThat(FencingGuide.otherPlaces(guard, simulator.fenceGuard(), calls::add))
                .isEqualTo("sent with 000000000000001");
        simulator.fenceGuard().advance("job:456", new Fence(1000));
        assertThatThrownBy(() -> FencingGuide.otherPlaces(guard, simulator.fenceGuard(), calls::add))
                .isInstanceOf(StaleFenceException.class);
        assertThat(calls).hasSize(1);
    }

    @Test
    void heartbeat() {
        List<Fence> done = new ArrayList<>();
        Consumer<Fence> minute = fence -> simulator.advance(Duration.ofMinutes(1));

        FencingGuide.heartbeat(guard, List.of(minute, minute, done::add));
        assertThat(done).hasSize(1);

        Consumer<Fence> pause = fence -> simulator.pauseHolder("batch-job", Duration.ofMinutes(5));
        assertThatThrownBy(() -> FencingGuide.heartbeat(guard, List.of(pause, done::add)))
                .isInstanceOf(LeaseLostException.class);
        assertThat(done).as("the batch after the loss did not run").hasSize(1);
    }

    @Test
    void usedUp() {
        List<String> alarms = new ArrayList<>();
        simulator.setFenceCounter("old-key", Fence.MAX.value() - 1);

        assertThat(FencingGuide.usedUp(guard, "old-key", alarms::add)).isEqualTo("granted " + Fence.MAX);
        assertThat(FencingGuide.usedUp(guard, "old-key", alarms::add)).isEqualTo("not granted");

        assertThat(alarms).singleElement().asString().contains("used up").doesNotContain("old-key");
        assertThat(FencingGuide.usedUp(guard, "new-key", alarms::add)).isEqualTo("granted 000000000000001");
    }

    @Test
    void comparing() {
        assertThat(FencingGuide.comparing()).containsExactly(new Fence(100), new Fence(200));
    }

    @Test
    void testing() {
        LockSimulator simulator = new LockSimulator();
        SyncGuard here = simulator.newGuard();
        SyncGuard there = simulator.newGuard();

        Lease late = here.acquire("invoice:42", LockOptions.defaults());
        simulator.pauseHolder("invoice:42", Duration.ofMinutes(1)); // past its lease
        Lease next = there.acquire("invoice:42", LockOptions.defaults());
        simulator.fenceGuard().advance("invoice:42", next.fence());

        assertThatThrownBy(() -> simulator.fenceGuard().advance("invoice:42", late.fence()))
                .isInstanceOf(StaleFenceException.class);
    }
}
