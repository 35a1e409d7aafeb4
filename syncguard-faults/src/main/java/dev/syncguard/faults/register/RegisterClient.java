package dev.syncguard.faults.register;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** One connection to the register. For one thread. */
public final class RegisterClient implements AutoCloseable {

    private final Socket socket;
    private final BufferedReader in;

    /**
     * What the register said.
     *
     * @param accepted whether the fence was high enough
     * @param value what it holds now
     */
    public record Reply(boolean accepted, String value) {}

    /**
     * Connects.
     *
     * @param port of the register
     * @throws IOException if it is gone
     */
    public RegisterClient(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
    }

    /** Reads, showing a fence. */
    public Reply read(String key, String fence, String by) throws IOException {
        return ask("R", key, fence, by);
    }

    /** Writes, showing a fence, a value that was made from another one. */
    public Reply write(String key, String fence, String by, String base, String value) throws IOException {
        return ask("W", key, fence, by, base, value);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    private Reply ask(String... request) throws IOException {
        socket.getOutputStream().write((String.join("\t", request) + "\n").getBytes(StandardCharsets.UTF_8));
        String line = in.readLine();
        if (line == null) {
            throw new IOException("the register is gone");
        }
        return new Reply(line.startsWith("1"), line.substring(2));
    }
}
