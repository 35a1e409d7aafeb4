package dev.syncguard.testbed;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Single commands over plain sockets: what tests see does not depend on the driver under test. */
final class RedisWire {

    private RedisWire() {}

    static boolean answersPing(int port) {
        try {
            return exchange(port, "PING").equals("PONG");
        } catch (IOException e) {
            return false;
        }
    }

    static String command(int port, String... command) {
        try {
            return exchange(port, command);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The elements of a list, which may contain line breaks. */
    static List<String> list(int port, String... command) {
        try {
            return send(port, RedisWire::elements, command);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private interface Reader<T> {
        T read(InputStream in) throws IOException;
    }

    private static String exchange(int port, String... command) throws IOException {
        return send(port, RedisWire::read, command);
    }

    private static <T> T send(int port, Reader<T> reader, String... command) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream().write(encode(command));
            return reader.read(new BufferedInputStream(socket.getInputStream()));
        }
    }

    private static byte[] encode(String... command) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(("*" + command.length + "\r\n").getBytes(StandardCharsets.UTF_8));
        for (String word : command) {
            byte[] bytes = word.getBytes(StandardCharsets.UTF_8);
            out.write(("$" + bytes.length + "\r\n").getBytes(StandardCharsets.UTF_8));
            out.write(bytes);
            out.write("\r\n".getBytes(StandardCharsets.UTF_8));
        }
        return out.toByteArray();
    }

    private static String read(InputStream in) throws IOException {
        String line = line(in);
        String rest = line.substring(1);
        return switch (line.charAt(0)) {
            case '$' -> bulk(in, Integer.parseInt(rest));
            case '*' -> String.join("\n", parts(in, Integer.parseInt(rest)));
            default -> rest;
        };
    }

    private static String bulk(InputStream in, int length) throws IOException {
        if (length < 0) {
            return "";
        }
        byte[] bytes = in.readNBytes(length);
        line(in);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static List<String> elements(InputStream in) throws IOException {
        String line = line(in);
        if (line.charAt(0) != '*') {
            throw new IOException("not a list: " + line);
        }
        return parts(in, Integer.parseInt(line.substring(1)));
    }

    private static List<String> parts(InputStream in, int length) throws IOException {
        List<String> parts = new ArrayList<>();
        for (int i = 0; i < length; i++) {
            parts.add(read(in));
        }
        return parts;
    }

    private static String line(InputStream in) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new IOException("the server closed the connection");
            }
            if (c != '\r') {
                out.write(c);
            }
        }
        return out.toString(StandardCharsets.UTF_8);
    }

    static void await(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!holds(condition)) {
            if (System.nanoTime() - deadline > 0) {
                throw new IllegalStateException("waited in vain for " + what);
            }
            pause();
        }
    }

    /** A server may close connections while it changes its role: that is "not yet". */
    private static boolean holds(BooleanSupplier condition) {
        try {
            return condition.getAsBoolean();
        } catch (UncheckedIOException e) {
            return false;
        }
    }

    static void pause() {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
    }
}
