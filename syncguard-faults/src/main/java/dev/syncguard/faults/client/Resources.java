package dev.syncguard.faults.client;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What a process has besides memory: threads by what they are for, and open sockets. */
record Resources(Map<String, Integer> threads, int sockets) {

    static Resources now() {
        Map<String, Integer> threads = new TreeMap<>();
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            threads.merge(thread.getName().replaceAll("[0-9]+.*", ""), 1, Integer::sum);
        }
        return new Resources(threads, countSockets());
    }

    private static int countSockets() {
        try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
            return (int) files.filter(Resources::isSocket).count();
        } catch (IOException e) {
            return 0; // not on this system
        }
    }

    private static boolean isSocket(Path file) {
        try {
            return Files.readSymbolicLink(file).toString().startsWith("socket:");
        } catch (IOException e) {
            return false;
        }
    }

    /** The threads that are there now and were not before. */
    Map<String, Integer> threadsBeyond(Resources before) {
        return threads.entrySet().stream()
                .filter(entry -> entry.getValue() > before.threads.getOrDefault(entry.getKey(), 0))
                .collect(Collectors.toMap(
                        Map.Entry::getKey, entry -> entry.getValue() - before.threads.getOrDefault(entry.getKey(), 0)));
    }
}
