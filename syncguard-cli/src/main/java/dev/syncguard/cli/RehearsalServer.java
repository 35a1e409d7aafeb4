package dev.syncguard.cli;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Lets the Redis driver connect while class archives are made; no lock is granted here. */
final class RehearsalServer implements AutoCloseable {

    private final ServerSocket server = new ServerSocket(0, 8, InetAddress.getLoopbackAddress());

    RehearsalServer() throws IOException {
        inBackground(() -> {
            while (true) {
                Socket client = server.accept();
                inBackground(() -> serve(client));
            }
        });
    }

    String url() {
        return "redis://127.0.0.1:" + server.getLocalPort();
    }

    private interface Task {
        void run() throws IOException;
    }

    private static void inBackground(Task task) {
        Thread thread = new Thread(() -> {
            try {
                task.run();
            } catch (IOException e) {
                return; // the other side, or the end of the rehearsal
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    private static void serve(Socket client) throws IOException {
        try (client;
                DataInputStream in = new DataInputStream(new BufferedInputStream(client.getInputStream()));
                OutputStream out = client.getOutputStream()) {
            while (true) {
                int words = number(in);
                String command = "";
                for (int i = 0; i < words; i++) {
                    byte[] word = new byte[number(in)];
                    in.readFully(word);
                    in.skipNBytes(2);
                    command = i == 0 ? new String(word, StandardCharsets.US_ASCII).toUpperCase(Locale.ROOT) : command;
                }
                out.write(answer(command).getBytes(StandardCharsets.US_ASCII));
                out.flush();
            }
        }
    }

    /** Reads the digits of a line. */
    private static int number(InputStream in) throws IOException {
        int number = 0;
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new IOException("closed");
            }
            number = c >= '0' && c <= '9' ? number * 10 + c - '0' : number;
        }
        return number;
    }

    private static String answer(String command) {
        return switch (command) {
            case "HELLO" -> "%2\r\n+version\r\n+7.4.0\r\n+proto\r\n:3\r\n";
            case "PING" -> "+PONG\r\n";
            case "INFO" -> "$21\r\nredis_version:7.4.0\r\n\r\n";
            case "CONFIG" -> "%0\r\n";
            case "SCAN" -> "*2\r\n+0\r\n*0\r\n";
            case "CLIENT", "QUIT" -> "+OK\r\n";
            default -> "-ERR this is a rehearsal\r\n";
        };
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
