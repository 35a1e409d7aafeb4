package dev.syncguard.faults;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/** Processes of a run end with the one that started them: they watch their standard input. */
public final class Life {

    private Life() {}

    /** Ends this process when its standard input does. */
    public static void endsWithInput() {
        endsWithInput(line -> {});
    }

    /** Hands on what is said on standard input, and ends this process when that ends. */
    public static void endsWithInput(Consumer<String> said) {
        thread("life", () -> {
            try (BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
                for (String line = in.readLine(); line != null; line = in.readLine()) {
                    said.accept(line);
                }
            } catch (IOException e) {
                // As good as an end.
            }
            Runtime.getRuntime().halt(9);
        });
    }

    /** Starts a daemon thread. */
    public static Thread thread(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }
}
