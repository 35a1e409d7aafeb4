package dev.syncguard.faults.client;

import dev.syncguard.LockOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;

/** After everything is healed: every key that was ever asked for is granted, and released. Ends the process. */
final class Probe {

    /** Where the controller writes the keys: one on each line, as Java would escape it. */
    static final String KEYS = "keys.txt";

    private static final LockOptions PATIENT = Scene.options(10_000, 30_000).retryStoreErrors();

    private Probe() {}

    static void run(Assignment assignment, List<LoggedGuard> guards) throws InterruptedException {
        ConcurrentLinkedQueue<String> keys =
                new ConcurrentLinkedQueue<>(read(assignment.directory().resolve(KEYS)));
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            LoggedGuard guard = guards.get(i % guards.size());
            threads.add(new Thread(() -> probe(guard, keys), "probe"));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private static void probe(LoggedGuard guard, ConcurrentLinkedQueue<String> keys) {
        for (String key = keys.poll(); key != null; key = keys.poll()) {
            LoggedLease lease = guard.acquire(key, PATIENT);
            if (lease != null) {
                lease.release();
            }
        }
    }

    private static List<String> read(Path file) {
        try {
            return Files.readAllLines(file, StandardCharsets.UTF_8).stream()
                    .map(line -> line.replace("\\n", "\n").replace("\\b", "\\"))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
