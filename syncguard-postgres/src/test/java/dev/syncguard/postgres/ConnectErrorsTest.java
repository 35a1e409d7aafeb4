package dev.syncguard.postgres;

import static dev.syncguard.postgres.Locks.NONE;
import static dev.syncguard.postgres.Locks.failure;
import static dev.syncguard.postgres.Locks.newKey;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.testbed.PostgresServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** Why there is no connection: each reason is told apart, with host and port, and without a password. */
@TestInstance(Lifecycle.PER_CLASS)
class ConnectErrorsTest {

    private final PostgresServer server = PostgresServer.start(Map.of());
    private final String address = "127.0.0.1:" + server.port();

    @AfterAll
    void close() {
        server.close();
    }

    private static LockException on(DataSource source) {
        try (PostgresLockBackend backend =
                PostgresLockBackend.builder(source).pollOnly().build()) {
            LockException failure = failure(() -> backend.isLocked(newKey(), NONE));
            assertThat(failure.outcomeUnknown()).isFalse();
            assertThat(failure.toString() + failure.getCause()).doesNotContain("s3cret");
            return failure;
        }
    }

    private static void expect(String url, Code code, String... parts) {
        LockException failure = on(TestDatabase.plain(url));
        assertThat(failure.code()).isEqualTo(code);
        assertThat(failure).hasMessageContainingAll(parts);
    }

    @Test
    @DisplayName("refused, unknown host, no such database, wrong and missing password")
    void reasons() throws Exception {
        TestDatabase.plain(server.url())
                .getConnection()
                .createStatement()
                .execute("CREATE ROLE " + PostgresServer.SECRET_ROLE + " LOGIN PASSWORD 'right'");
        String role = server.url().replace("user=postgres", "user=" + PostgresServer.SECRET_ROLE);
        TestDatabase.plain(role + "&password=right").getConnection().close();

        expect("jdbc:postgresql://127.0.0.1:1/d?user=u", Code.SERVICE_UNAVAILABLE, "127.0.0.1:1", "refused");
        expect("jdbc:postgresql://no.invalid/d?user=u", Code.SERVICE_UNAVAILABLE, "no.invalid:5432", "unknown");
        expect(server.url().replace("/postgres?", "/none?"), Code.INVALID_ARGUMENT, address, "does not exist");
        expect(role + "&password=s3cret", Code.AUTH_FAILED, address, "refused the password");
        expect(role, Code.AUTH_FAILED, address, "none was given");
        expect(server.url() + "&sslmode=require", Code.INVALID_ARGUMENT, address, "TLS");
    }

    @Test
    @DisplayName("a server that is not PostgreSQL")
    void otherServers() throws Exception {
        try (ServerSocket other = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            String url = "jdbc:postgresql://127.0.0.1:" + other.getLocalPort() + "/d?user=u";
            CompletableFuture<Void> talking = answering(other, "-ERR unknown command\r\n");
            expect(url, Code.SERVICE_UNAVAILABLE, "127.0.0.1:" + other.getLocalPort(), "PostgreSQL");
            talking.join();
            CompletableFuture<Void> closing = answering(other, "");
            expect(url, Code.SERVICE_UNAVAILABLE, "127.0.0.1:" + other.getLocalPort(), "PostgreSQL");
            closing.join();
            CompletableFuture<Void> greeting = greeting(other);
            expect(url, Code.SERVICE_UNAVAILABLE, "127.0.0.1:" + other.getLocalPort(), "no PostgreSQL server");
            greeting.join();
            CompletableFuture<Void> babbling = answering(other, "S", "no TLS");
            expect(
                    url + "&sslmode=require",
                    Code.SERVICE_UNAVAILABLE,
                    "TLS with 127.0.0.1:" + other.getLocalPort() + " failed");
            babbling.join();
            expect(url, Code.NETWORK_TIMEOUT, "127.0.0.1:" + other.getLocalPort(), "is a PostgreSQL server");
        }
    }

    /** Speaks first and closes without having read, which is a reset. */
    private static CompletableFuture<Void> greeting(ServerSocket server) {
        return CompletableFuture.runAsync(() -> {
            try (Socket socket = server.accept()) {
                socket.setSoLinger(true, 0);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    private static CompletableFuture<Void> answering(ServerSocket server, String... texts) {
        return CompletableFuture.runAsync(() -> {
            try (Socket socket = server.accept()) {
                for (String text : texts) {
                    socket.getInputStream().read(new byte[2048]);
                    socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
                }
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    @Test
    @DisplayName("through a pool the same reasons arrive")
    void throughPool() {
        try (HikariDataSource pool = TestDatabase.pool(server.url().replace("/postgres?", "/none?"), 2, config -> {
            config.setInitializationFailTimeout(-1);
            config.setConnectionTimeout(500);
        })) {
            LockException failure = on(pool);
            assertThat(failure.code()).isEqualTo(Code.INVALID_ARGUMENT);
            assertThat(failure).hasMessageContaining(address);
        }
    }

    @Test
    @DisplayName("a pool that cannot set up its connections is unavailable, not a bug")
    void brokenPool() {
        SQLException isolation = new SQLException("Transaction isolation level -1 not supported.", "0A000");

        assertThat(ConnectErrors.translate(isolation, TestDatabase.plain(server.url()))
                        .code())
                .isEqualTo(Code.SERVICE_UNAVAILABLE);
    }

    @Test
    @DisplayName("what may be a piece of a password is not shown as a host")
    void strangeHosts() {
        try (HikariDataSource pool = new HikariDataSource()) {
            pool.setJdbcUrl("jdbc:postgresql://u%40s3cret@h/d");
            assertThat(ServerAddress.of(pool)).isEqualTo(ServerAddress.UNKNOWN);
        }
    }
}
