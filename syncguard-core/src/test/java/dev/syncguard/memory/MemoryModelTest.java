package dev.syncguard.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.AbortSignal;
import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import dev.syncguard.SeededRuns;
import dev.syncguard.Ttl;
import dev.syncguard.spi.AcquireOutcome;
import dev.syncguard.spi.AcquireOutcome.Granted;
import dev.syncguard.spi.AcquireOutcome.Refused;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.ExtendOutcome;
import dev.syncguard.spi.ExtendOutcome.Extended;
import dev.syncguard.spi.ExtendOutcome.NotExtended;
import dev.syncguard.spi.LockBackend;
import dev.syncguard.spi.ReleaseOutcome;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Random sequences of operations and passing time, against a model written from the rules. */
class MemoryModelTest {

    private static final AbortSignal NONE = AbortSignal.none();
    private static final int IDS = 5;
    private static final int MOST_STEPS = 60;
    private static final List<Verb> VERBS = List.of(Verb.values());
    private static final List<Integer> TIMES = List.of(1, 5, 999, 1000, 1001, 2500, 7000);

    enum Verb {
        ACQUIRE,
        RELEASE,
        EXTEND,
        LOOK,
        WAIT
    }

    record Step(Verb verb, int id, int ms) {}

    /** What the rules say a key holds. */
    private static final class Model {
        private int id = -1;
        private long expires;
        private long counter;

        boolean live(long now) {
            return id >= 0 && expires > now - 1000;
        }
    }

    private static List<Step> steps(Random random) {
        return Stream.generate(() -> new Step(
                        VERBS.get(random.nextInt(VERBS.size())),
                        random.nextInt(IDS),
                        TIMES.get(random.nextInt(TIMES.size()))))
                .limit(random.nextInt(MOST_STEPS + 1))
                .toList();
    }

    @Test
    @DisplayName("any sequence of operations and passing time agrees with the model")
    void agreesWithTheModel() {
        SeededRuns.repeat(3000, random -> play(steps(random)));
    }

    private static void play(List<Step> steps) {
        LockSimulator simulator = new LockSimulator();
        LockBackend backend = simulator.newBackend();
        Map<Integer, Model> models = new HashMap<>();
        long now = 0;
        for (Step step : steps) {
            // An id belongs to one key for ever, as a guard uses it: it acquires key id % 3 only.
            int key = step.id % 3;
            Model model = models.computeIfAbsent(key, k -> new Model());
            LockKey name = LockKey.of("key-" + key);
            LockId id = LockId.parse(Integer.toString(step.id).repeat(22));
            switch (step.verb) {
                case WAIT -> {
                    simulator.advance(Duration.ofMillis(step.ms));
                    now += step.ms;
                }
                case ACQUIRE -> acquire(backend, model, step, name, id, now);
                case RELEASE -> release(backend, model, step, id, now);
                case EXTEND -> extend(backend, model, step, id, now);
                case LOOK -> {
                    assertThat(backend.isLocked(name, NONE)).isEqualTo(model.live(now));
                    assertThat(backend.findById(id, NONE).isPresent())
                            .isEqualTo(model.live(now) && model.id == step.id);
                }
            }
        }
        models.forEach(
                (key, model) -> assertThat(simulator.fenceCounter("key-" + key)).isEqualTo(model.counter));
    }

    private static void acquire(LockBackend backend, Model model, Step step, LockKey name, LockId id, long now) {
        AcquireOutcome outcome = backend.acquire(new AcquireRequest(name, id, new Ttl(step.ms), false), NONE);
        if (model.id == step.id && model.expires > now) {
            assertThat(outcome).isInstanceOfSatisfying(Granted.class, granted -> {
                assertThat(granted.fence().value()).isEqualTo(model.counter);
                assertThat(granted.remainingMs()).isEqualTo(model.expires - now);
            });
        } else if (model.live(now)) {
            assertThat(outcome).isEqualTo(new Refused(model.expires + 1000 - now));
        } else {
            model.id = step.id;
            model.expires = now + step.ms;
            model.counter++;
            assertThat(outcome).isInstanceOfSatisfying(Granted.class, granted -> {
                assertThat(granted.fence().value()).isEqualTo(model.counter);
                assertThat(granted.remainingMs()).isEqualTo(step.ms);
            });
        }
    }

    private static void release(LockBackend backend, Model model, Step step, LockId id, long now) {
        ReleaseOutcome outcome = backend.release(id, NONE);
        if (model.id != step.id) {
            assertThat(outcome).isEqualTo(ReleaseOutcome.NOT_FOUND);
        } else {
            assertThat(outcome).isEqualTo(model.live(now) ? ReleaseOutcome.RELEASED : ReleaseOutcome.EXPIRED);
            model.id = -1;
        }
    }

    private static void extend(LockBackend backend, Model model, Step step, LockId id, long now) {
        ExtendOutcome outcome = backend.extend(id, new Ttl(step.ms), NONE);
        if (model.id != step.id) {
            assertThat(outcome).isEqualTo(NotExtended.NOT_FOUND);
        } else if (model.expires <= now) {
            assertThat(outcome).isEqualTo(NotExtended.EXPIRED);
        } else {
            model.expires = now + step.ms;
            assertThat(outcome)
                    .isInstanceOfSatisfying(
                            Extended.class,
                            extended -> assertThat(extended.remainingMs()).isEqualTo(step.ms));
        }
    }
}
