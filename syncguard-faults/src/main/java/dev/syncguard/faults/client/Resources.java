package dev.syncguard.faults.client;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What a process has besides memory: threads by what they are for, and open sockets. */
public record Resources(Map<String, Integer> threads, List<String> sockets) {

    /** The threads of a driver's scheduler that is shared by the whole JVM, and starts with a first use. */
    private static final String REACTOR = "parallel-";

    /** What there is now. */
    public static Resources now() {
        Map<String, Integer> threads = new TreeMap<>();
        Thread[] all = new Thread[Thread.activeCount() + 64];
        int count = Thread.currentThread().getThreadGroup().enumerate(all);
        for (Thread thread : Arrays.copyOf(all, count)) {
            if (thread.getName().startsWith(REACTOR)) {
                continue;
            }
            threads.merge(thread.getName().replaceAll("[0-9]+.*", ""), 1, Integer::sum);
        }
        return new Resources(threads, Sockets.open());
    }

    /** Whether nothing is there that was not before. */
    public boolean isWithin(Resources before) {
        return threadsBeyond(before).isEmpty() && sockets.size() <= before.sockets.size();
    }

    /** The threads that are there now and were not before. */
    public Map<String, Integer> threadsBeyond(Resources before) {
        return threads.entrySet().stream()
                .filter(entry -> entry.getValue() > before.threads.getOrDefault(entry.getKey(), 0))
                .collect(Collectors.toMap(
                        Map.Entry::getKey, entry -> entry.getValue() - before.threads.getOrDefault(entry.getKey(), 0)));
    }
}
