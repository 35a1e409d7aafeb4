package dev.syncguard.internal;

import dev.syncguard.Backoff;
import dev.syncguard.Jitter;
import dev.syncguard.RetryPolicy;
import dev.syncguard.internal.AcquireModel.Scenario;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tries every order of events for up to three waiters of one key, breadth first: each new state is reached by replaying its
 * path from the start, and states that were seen are not followed again.
 */
@Tag("once")
class AcquireMachineExhaustiveTest {

    private static final RetryPolicy PATIENT = policy(100, 1000, 30);
    private static final RetryPolicy EAGER = policy(100, 2, 10);
    private static final RetryPolicy SHORT = policy(15, 1000, 30);

    private static RetryPolicy policy(long timeoutMs, int maxRetries, long delayMs) {
        Duration delay = Duration.ofMillis(delayMs);
        return new RetryPolicy(
                Duration.ofMillis(timeoutMs), maxRetries, delay, delay, Backoff.FIXED, Jitter.NONE, true);
    }

    static Stream<Scenario> scenarios() {
        return Stream.of(
                new Scenario("one, blocking", false, false, false, false, 24, List.of(PATIENT)),
                new Scenario("one with few retries, asynchronous", true, true, true, false, 17, List.of(EAGER)),
                new Scenario("two, blocking", false, false, false, false, 12, List.of(PATIENT, EAGER)),
                new Scenario(
                        "two, asynchronous, queued, signals", true, true, true, false, 11, List.of(PATIENT, SHORT)),
                new Scenario("three, blocking", false, false, false, false, 10, List.of(PATIENT, SHORT, EAGER)),
                new Scenario("three, asynchronous", true, false, false, false, 10, List.of(SHORT, PATIENT, SHORT)),
                new Scenario("three, request under way", true, false, true, true, 7, List.of(PATIENT, SHORT, SHORT)));
    }

    @SuppressWarnings("ArrayRecordComponent") // never compared, and there are many
    private record Path(int[] events, List<Integer> next) {
        int[] plus(int event) {
            int[] longer = Arrays.copyOf(events, events.length + 1);
            longer[events.length] = event;
            return longer;
        }
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    @DisplayName(
            "in every order of events one request is under way, no turn, wake-up or promotion is lost, and all end")
    void everyOrder(Scenario scenario) {
        Set<String> seen = new HashSet<>();
        List<Path> frontier = List.of(new Path(new int[0], ModelEvents.enabled(new AcquireModel(scenario))));
        long paths = 0;
        for (int depth = 1; depth <= scenario.depth() && !frontier.isEmpty(); depth++) {
            List<Path> next = new ArrayList<>();
            for (Path path : frontier) {
                for (int event : path.next) {
                    int[] longer = path.plus(event);
                    AcquireModel model = replay(scenario, longer, Invariants::inEveryState);
                    paths++;
                    if (seen.add(model.describe())) {
                        next.add(new Path(longer, ModelEvents.enabled(model)));
                    }
                }
            }
            frontier = next;
        }
        for (Path path : frontier) {
            replay(scenario, path.events, Invariants::allTimeOut);
            replay(scenario, path.events, Invariants::allEndAfterClose);
        }
        System.out.println(scenario.name() + ": depth " + scenario.depth() + ", " + paths + " paths, " + seen.size()
                + " states, " + frontier.size() + " run to their end");
    }

    private static AcquireModel replay(Scenario scenario, int[] path, Consumer<AcquireModel> check) {
        AcquireModel model = new AcquireModel(scenario);
        try {
            for (int event : path) {
                ModelEvents.apply(model, event);
            }
            check.accept(model);
            return model;
        } catch (AssertionError e) {
            throw new AssertionError(
                    e.getMessage() + " after "
                            + Arrays.stream(path).mapToObj(ModelEvents::name).toList(),
                    e);
        }
    }
}
