package dev.syncguard.faults.store;

import dev.syncguard.testbed.RedisServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A connection that was there before the server took no more of them. */
final class RedisSession implements AutoCloseable {

    private final Socket socket;

    RedisSession(RedisServer server) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
        socket.setSoTimeout(10_000);
    }

    /** Sends a command of plain words and waits for its answer, which is one line. */
    void command(String words) throws IOException {
        socket.getOutputStream().write((words + "\r\n").getBytes(StandardCharsets.UTF_8));
        for (int read = socket.getInputStream().read(); read >= 0 && read != '\n'; ) {
            read = socket.getInputStream().read();
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
