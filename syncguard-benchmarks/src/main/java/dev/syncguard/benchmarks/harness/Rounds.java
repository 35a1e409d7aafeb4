package dev.syncguard.benchmarks.harness;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All candidates in turn, round by round in random order: whatever else the machine does meets all of them. */
public final class Rounds {

    private Rounds() {}

    /** Measures one candidate once. */
    @FunctionalInterface
    public interface Measurement<T> {
        Sample of(T subject) throws Exception;
    }

    /** Returns the figures of each candidate, in the given order. */
    public static <T> List<Series> interleaved(
            Map<Contestant, T> subjects, Plan plan, Progress progress, Measurement<T> measurement) throws Exception {
        Map<Contestant, List<Sample>> samples = new LinkedHashMap<>();
        List<Map.Entry<Contestant, T>> order = new ArrayList<>(subjects.entrySet());
        for (int round = 1 - plan.warmUps(); round <= plan.rounds(); round++) {
            progress.at(round <= 0 ? "warm-up" : "round " + round + " of " + plan.rounds());
            Collections.shuffle(order);
            for (Map.Entry<Contestant, T> entry : order) {
                Sample sample = measurement.of(entry.getValue());
                if (round > 0) {
                    samples.computeIfAbsent(entry.getKey(), key -> new ArrayList<>())
                            .add(sample);
                }
            }
        }
        return subjects.keySet().stream()
                .map(contestant -> Series.of(contestant, samples.getOrDefault(contestant, List.of())))
                .toList();
    }
}
