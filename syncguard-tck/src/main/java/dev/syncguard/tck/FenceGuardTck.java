package dev.syncguard.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.syncguard.Fence;
import dev.syncguard.Lease;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockOptions;
import dev.syncguard.SyncGuard;
import dev.syncguard.fence.StaleFenceException;
import dev.syncguard.memory.LockSimulator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The contract of a fence guard. Extend it, say how a value is written behind the guard, and run it with JUnit.
 *
 * <p>One instance serves all tests of a class, so fields hold the server. Every test uses resources of its own.
 */
@TestInstance(Lifecycle.PER_CLASS)
@Timeout(120)
public abstract class FenceGuardTck {

    private static final int WRITERS = 16;
    private static final int WRITES = 12;

    /** For subclasses. */
    protected FenceGuardTck() {}

    /**
     * Returns the guarded values.
     *
     * @return a store that any thread may use
     */
    protected abstract FencedStore store();

    @Test
    @Rule("GRD-1")
    @DisplayName("a holder that was paused past its lease is refused, and the next holder's write stays")
    void staleHolder() throws Exception {
        String account = resource();
        LockSimulator simulator = new LockSimulator();
        try (SyncGuard here = simulator.newGuard();
                SyncGuard there = simulator.newGuard()) {
            Lease stale = here.acquire(account, LockOptions.defaults());
            simulator.pauseHolder(account, Duration.ofMinutes(1));
            Lease current = there.acquire(account, LockOptions.defaults());
            store().write(account, current.fence(), "current");

            StaleFenceException refusal = refusal(account, stale.fence());

            assertThat(refusal.fence()).isEqualTo(stale.fence());
            assertThat(refusal.highest()).isEqualTo(current.fence());
            assertThat(store().read(account)).contains("current");
            assertThat(store().highest(account)).contains(current.fence());
        }
    }

    @Test
    @Rule("GRD-1")
    @DisplayName("a resource that no fence has written to accepts the first one, and then nothing older")
    void first() throws Exception {
        String resource = resource();
        assertThat(store().highest(resource)).isEmpty();

        store().write(resource, new Fence(7), "seven");

        assertThat(store().highest(resource)).contains(new Fence(7));
        assertThat(refusal(resource, new Fence(6)).highest()).isEqualTo(new Fence(7));
        assertThat(store().read(resource)).contains("seven");
    }

    @Test
    @Rule("GRD-1")
    @DisplayName("fences are compared as numbers, up to the highest that is granted")
    void numbers() throws Exception {
        String resource = resource();
        for (long number : new long[] {9, 10, 99, 100, 1_763_000_000_000L, Fence.MAX.value()}) {
            store().write(resource, new Fence(number), "w" + number);
            assertThat(refusal(resource, new Fence(number - 1)).highest()).isEqualTo(new Fence(number));
        }
        assertThat(store().highest(resource)).contains(Fence.MAX);
    }

    @Test
    @Rule("GRD-2")
    @DisplayName("the same holder writes again, and repeats a write")
    void sameHolder() throws Exception {
        String resource = resource();
        store().write(resource, new Fence(3), "once");
        store().write(resource, new Fence(3), "once");
        store().write(resource, new Fence(3), "twice");

        assertThat(store().read(resource)).contains("twice");
        assertThat(store().highest(resource)).contains(new Fence(3));
    }

    @Test
    @Rule("GRD-3")
    @DisplayName("16 threads write at once: the highest fence never goes back, and its write is the one that stays")
    void concurrentWriters() throws Exception {
        String resource = resource();
        AtomicInteger left = new AtomicInteger(WRITERS);
        List<Callable<Long>> tasks = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
            tasks.add(() -> {
                try {
                    return writeAtRandom(resource);
                } finally {
                    left.decrementAndGet();
                }
            });
        }
        tasks.add(() -> watch(resource, left));

        long highest =
                Together.run(tasks).stream().mapToLong(Long::longValue).max().orElseThrow();

        assertThat(store().highest(resource)).contains(new Fence(highest));
        assertThat(store().read(resource)).contains(new Fence(highest).toString());
    }

    /** Returns the highest fence that was accepted. What is refused must be refused for a fence that is newer. */
    private long writeAtRandom(String resource) throws Exception {
        long highest = 0;
        for (int i = 0; i < WRITES; i++) {
            Fence fence = ofAnyLength();
            try {
                store().write(resource, fence, fence.toString());
                assertThat(fence.value()).as("accepted after %s", highest).isGreaterThanOrEqualTo(highest);
                highest = fence.value();
            } catch (StaleFenceException e) {
                assertThat(e.highest()).isGreaterThan(fence);
                assertThat(e.highest().value()).isGreaterThanOrEqualTo(highest);
            }
        }
        return highest;
    }

    /** A fence of 1 to 14 digits, each length as likely as another, so that an order of texts differs from that of numbers. */
    private static Fence ofAnyLength() {
        long bound = 1;
        for (int digits = ThreadLocalRandom.current().nextInt(1, 15); digits > 0; digits--) {
            bound *= 10;
        }
        return new Fence(ThreadLocalRandom.current().nextLong(bound / 10, bound));
    }

    private long watch(String resource, AtomicInteger left) throws Exception {
        Fence seen = new Fence(0);
        while (left.get() > 0) {
            Optional<Fence> now = store().highest(resource);
            if (now.isPresent()) {
                assertThat(now.get()).isGreaterThanOrEqualTo(seen);
                seen = now.get();
            }
        }
        return seen.value();
    }

    @Test
    @Rule("GRD-4")
    @DisplayName("a writer that crashes between check and commit leaves neither a value nor its fence")
    void crash() throws Exception {
        String resource = resource();
        store().write(resource, new Fence(1), "before");
        Assumptions.assumeTrue(
                store().writeAndCrash(resource, new Fence(9), "lost"), "guard and write are one indivisible request");

        assertThat(store().read(resource)).contains("before");
        assertThat(store().highest(resource)).contains(new Fence(1));
        store().write(resource, new Fence(2), "after");
        assertThat(store().read(resource)).contains("after");
    }

    @Test
    @Rule("GRD-4")
    @DisplayName("the first writer ever leaves nothing if it crashes")
    void firstCrash() throws Exception {
        String resource = resource();
        Assumptions.assumeTrue(
                store().writeAndCrash(resource, new Fence(9), "lost"), "guard and write are one indivisible request");

        assertThat(store().read(resource)).isEmpty();
        assertThat(store().highest(resource)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(HostilePairs.class)
    @Rule("GRD-5")
    @DisplayName("two resources that only look alike do not touch")
    void tellsApart(HostilePairs pair) throws Exception {
        String token = Rules.token();
        store().write(pair.one(token), new Fence(9), "one");
        store().write(pair.two(token), new Fence(4), "two");

        assertThat(store().highest(pair.one(token))).contains(new Fence(9));
        assertThat(store().highest(pair.two(token))).contains(new Fence(4));
        assertThat(store().read(pair.one(token))).contains("one");
    }

    @ParameterizedTest
    @EnumSource(HostileKeys.class)
    @Rule("GRD-5")
    @DisplayName("a resource of any characters can be guarded")
    void anyCharacters(HostileKeys shape) throws Exception {
        String resource = shape.key(Rules.token());
        // "." and ".." are the same in every run on one server.
        long base = store().highest(resource).map(Fence::value).orElse(0L);

        store().write(resource, new Fence(base + 2), "written");

        assertThat(store().highest(resource)).contains(new Fence(base + 2));
        assertThat(refusal(resource, new Fence(base + 1)).key()).contains(resource);
    }

    @ParameterizedTest
    @EnumSource(LongKeys.class)
    @Rule("GRD-5")
    @DisplayName("a resource of exactly 512 bytes can be guarded, and its last character counts")
    void longest(LongKeys shape) throws Exception {
        String token = Rules.token();
        store().write(shape.key(token, "a"), new Fence(2), "a");
        store().write(shape.key(token, "b"), new Fence(1), "b");

        assertThat(store().highest(shape.key(token, "a"))).contains(new Fence(2));
        assertThat(store().highest(shape.key(token, "b"))).contains(new Fence(1));
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 900_000_000_000_001L, 999_999_999_999_999L})
    @Rule("GRD-6")
    @DisplayName("a fence that no store grants is an invalid argument, and nothing is written")
    void invalidFence(long number) throws Exception {
        String resource = resource();

        refusedAsInvalid(resource, new Fence(number));

        assertThat(store().read(resource)).isEmpty();
        assertThat(store().highest(resource)).isEmpty();
    }

    @Test
    @Rule("GRD-6")
    @DisplayName("a missing fence is an invalid argument, and nothing is written")
    void missingFence() throws Exception {
        String resource = resource();

        refusedAsInvalid(resource, null);

        assertThat(store().read(resource)).isEmpty();
    }

    @ParameterizedTest
    @MethodSource
    @Rule("GRD-6")
    @DisplayName("a resource that is no valid key is an invalid argument")
    void invalidResource(@Nullable String resource) {
        refusedAsInvalid(resource, new Fence(1));
    }

    static Stream<@Nullable String> invalidResource() {
        return Stream.of(null, "", "a".repeat(513), "a".repeat(5_000), "a\u0000b", "\ud83d");
    }

    @Test
    @Rule("GRD-7")
    @DisplayName("a refusal names both fences and the hash of the resource, never the resource")
    void message() throws Exception {
        String resource = resource();
        store().write(resource, new Fence(2), "two");

        StaleFenceException refusal = refusal(resource, new Fence(1));

        assertThat(refusal.getMessage())
                .contains("000000000000001", "000000000000002")
                .doesNotContain(resource);
        assertThat(refusal.code()).isEqualTo(Code.INTERNAL);
        assertThat(refusal.outcomeUnknown()).isFalse();
    }

    private StaleFenceException refusal(String resource, Fence fence) {
        StaleFenceException refusal =
                catchThrowableOfType(StaleFenceException.class, () -> store().write(resource, fence, "stale"));
        assertThat(refusal).as("the refusal of %s", fence).isNotNull();
        return refusal;
    }

    @SuppressWarnings("NullAway") // what a caller without a checker may pass
    private void refusedAsInvalid(@Nullable String resource, @Nullable Fence fence) {
        LockException failure =
                catchThrowableOfType(LockException.class, () -> store().write(resource, fence, "invalid"));
        assertThat(failure).as("the failure").isNotNull();
        assertThat(failure.code()).isEqualTo(Code.INVALID_ARGUMENT);
    }

    private static String resource() {
        return "fenced:" + Rules.token();
    }
}
