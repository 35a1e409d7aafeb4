package dev.syncguard.faults.register;

import dev.syncguard.faults.Life;
import dev.syncguard.faults.history.HistoryWriter;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** The register's process: prints its port, serves until its standard input ends. */
public final class RegisterMain {

    private RegisterMain() {}

    /**
     * Starts the register.
     *
     * @param args the directory of the round
     * @throws IOException if no port can be had
     */
    public static void main(String[] args) throws IOException {
        Life.endsWithInput();
        Register register = new Register(new HistoryWriter(Path.of(args[0]), "register"));
        try (ServerSocket listener = new ServerSocket(0, 200, InetAddress.getLoopbackAddress())) {
            System.out.println("port " + listener.getLocalPort());
            while (true) {
                Socket client = listener.accept();
                Life.thread("register", () -> serve(register, client));
            }
        }
    }

    private static void serve(Register register, Socket client) {
        try (client;
                BufferedReader in =
                        new BufferedReader(new InputStreamReader(client.getInputStream(), StandardCharsets.UTF_8));
                PrintStream out = new PrintStream(client.getOutputStream(), true, StandardCharsets.UTF_8)) {
            client.setTcpNoDelay(true);
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                Register.Answer answer = answer(register, line.split("\t", -1));
                out.print((answer.accepted() ? "1\t" : "0\t") + answer.value() + "\n");
                out.flush();
            }
        } catch (IOException e) {
            // The client was killed.
        }
    }

    private static Register.Answer answer(Register register, String[] request) {
        return request[0].equals("R")
                ? register.read(request[1], request[2], request[3])
                : register.write(request[1], request[2], request[3], request[4], request[5]);
    }
}
