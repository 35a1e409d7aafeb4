package dev.syncguard.testbed;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Map;
import org.assertj.core.api.Assumptions;
import org.junit.jupiter.api.Test;

class PostgresServerTest {

    private static boolean answers(PostgresServer server) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void startsStopsCrashesAndStartsAgain() {
        try (PostgresServer server = PostgresServer.start(Map.of("work_mem", "8MB"))) {
            assertThat(answers(server)).isTrue();
            server.stop();
            assertThat(answers(server)).isFalse();
            server.restart();
            server.crash();
            assertThat(answers(server)).isFalse();
            server.restart();
            assertThat(answers(server)).isTrue();
        }
    }

    @Test
    void startsForRootWhereUserNamespacesAreForbidden() throws Exception {
        Assumptions.assumeThat(System.getProperty("user.name"))
                .as("only root can become nobody")
                .isEqualTo("root");
        try (PostgresServer server = PostgresServer.start(PostgresUser.NOBODY, Map.of())) {
            assertThat(answers(server)).isTrue();
        }
    }
}
