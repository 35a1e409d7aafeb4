package dev.syncguard.faults.checker;

import java.util.List;

/**
 * A promise that was not kept.
 *
 * @param invariant which one, for example {@code I2}
 * @param key the key that it is about; empty if it is about none
 * @param from when it began, by {@link System#nanoTime()}
 * @param to when it ended
 * @param what happened
 * @param events the lines of the histories that show it
 */
public record Violation(String invariant, String key, long from, long to, String what, List<String> events) {}
