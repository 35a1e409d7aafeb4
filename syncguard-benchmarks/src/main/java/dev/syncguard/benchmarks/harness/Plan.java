package dev.syncguard.benchmarks.harness;

import java.time.Duration;
import java.util.List;

/**
 * How long everything takes.
 *
 * @param warmUps rounds that do not count
 * @param rounds rounds that count
 * @param round how long one candidate runs in one round
 * @param crowd how many wait for one key
 * @param leases how many are renewed at once
 * @param windows how often their renewals are looked at, each time for a third of their ttl
 * @param sizes how many locks are held while growth is measured
 */
public record Plan(int warmUps, int rounds, Duration round, int crowd, int leases, int windows, List<Integer> sizes) {

    /** What the published results come from. */
    public static Plan full() {
        return new Plan(3, 11, Duration.ofMillis(800), 1000, 10_000, 5, List.of(1000, 10_000, 100_000, 1_000_000));
    }

    /** A few minutes, to see that everything works: the figures are worth little. */
    public static Plan brief() {
        return new Plan(1, 5, Duration.ofMillis(150), 200, 2000, 1, List.of(1000, 10_000, 100_000));
    }

    /** The same with other rounds. */
    public Plan rounds(int newWarmUps, int newRounds) {
        return new Plan(newWarmUps, newRounds, round, crowd, leases, windows, sizes);
    }

    /** About how long so many candidates take. */
    double seconds(int candidates) {
        return candidates * (warmUps + rounds) * (round.toMillis() / 1e3);
    }
}
