package dev.syncguard.benchmarks.redis;

import dev.syncguard.testbed.RedisServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;

/**
 * Counts what clients send, by MONITOR. The command statistics would not do: they also count what scripts call, and what
 * one library calls in a script another one sends by itself.
 */
final class CommandCount implements AutoCloseable {

    /** Sent by us when everything before it is to be counted. */
    private static final String END = "end-of-the-count";

    private final RedisServer server;
    private final Socket socket;
    private final CompletableFuture<Long> result;

    CommandCount(RedisServer server) throws IOException {
        this.server = server;
        this.socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
        socket.getOutputStream().write("MONITOR\r\n".getBytes(StandardCharsets.US_ASCII));
        BufferedReader in =
                new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
        in.readLine();
        this.result = CompletableFuture.supplyAsync(() -> count(in), task -> new Thread(task).start());
    }

    private static long count(BufferedReader in) {
        try {
            long commands = 0;
            for (String line = in.readLine(); line != null && !line.contains(END); line = in.readLine()) {
                commands += line.contains(" lua] ") ? 0 : 1;
            }
            return commands;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    double result() {
        server.command("ECHO", END);
        return result.join();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
