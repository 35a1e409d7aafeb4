package dev.syncguard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.testbed.RedisServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a server says is not printed as it is. */
class HostileServerTest {

    private static final byte[] ANSWER = "-ERR \u001b[31mEVIL\u009b2J\r\n".getBytes(StandardCharsets.UTF_8);

    private static void answer(ServerSocket server) {
        try {
            while (true) {
                answer(server.accept());
            }
        } catch (IOException e) {
            return; // the test has ended
        }
    }

    private static void answer(Socket accepted) {
        try (Socket client = accepted) {
            while (client.getInputStream().read(new byte[65536]) > 0) {
                client.getOutputStream().write(ANSWER);
            }
        } catch (IOException e) {
            return; // the client has ended
        }
    }

    private static ServerSocket serving() throws IOException {
        ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread thread = new Thread(() -> answer(server));
        thread.setDaemon(true);
        thread.start();
        return server;
    }

    @Test
    @DisplayName("the doctor lets no terminal act on what another client of the store made up, and no line is forged")
    void doctor() {
        try (RedisServer redis = RedisServer.start()) {
            String prefix = "syncguard:\u001b[2J\u009b\nverdict: ok\n";
            redis.command("SET", prefix + ":fence:" + prefix + ":k", "1");
            redis.command("CONFIG", "SET", "appendonly", "no");
            assertThat(Cli.on(redis.url()).run("doctor").exits(1).out())
                    .contains("redis.prefix: this prefix overlaps", "\nverdict: danger\n")
                    .doesNotContain("\u001b", "\u009b", "\nverdict: ok");
        }
    }

    @Test
    @DisplayName("a stack trace shows what the server answered, but lets no terminal act on it")
    void stackTrace() throws IOException {
        try (ServerSocket server = serving()) {
            String url = "redis://127.0.0.1:" + server.getLocalPort();
            assertThat(Cli.on(url).run("status", "k", "--debug").exits(3).err())
                    .contains("\\u{1b}[31mEVIL\\u{9b}", "\n\tat dev.syncguard.")
                    .doesNotContain("\u001b", "\u009b");
        }
    }
}
