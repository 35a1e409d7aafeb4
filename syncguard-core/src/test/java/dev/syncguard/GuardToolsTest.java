package dev.syncguard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.syncguard.LockException.Code;
import dev.syncguard.memory.LockSimulator;
import dev.syncguard.memory.MemoryLockBackend;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class GuardToolsTest {

    private static final Duration SOON = Duration.ofSeconds(20);

    private final LockSimulator simulator = new LockSimulator();
    private final SyncGuard here = simulator.newGuard();
    private final SyncGuard there = simulator.newGuard();

    @ParameterizedTest
    @EnumSource
    @Rule("LSE-20")
    @DisplayName(
            "section 3: an extension answers with the new expiry, by the lease and by id, also for another guard's lock")
    void extendResult(Driver driver) {
        Lease lease = here.acquire("k");
        long now = simulator.nowMs();

        assertThat(driver.extend(lease, Duration.ofSeconds(60)).join()).isEqualTo(new ExtendResult(true, now + 60_000));
        assertThat(here.extend(lease.lockId(), Duration.ofSeconds(50))).isEqualTo(new ExtendResult(true, now + 50_000));
        assertThat(there.extend(lease.lockId(), Duration.ofSeconds(70)))
                .isEqualTo(new ExtendResult(true, now + 70_000));
        assertThat(there.async().extend(lease.lockId(), Duration.ofSeconds(80)))
                .succeedsWithin(SOON)
                .isEqualTo(new ExtendResult(true, now + 80_000));
        lease.close();
        assertThat(there.extend(lease.lockId(), Duration.ofSeconds(1))).isEqualTo(ExtendResult.NOT_EXTENDED);
        assertThat(driver.extend(lease, Duration.ofSeconds(1)).join()).isEqualTo(ExtendResult.NOT_EXTENDED);
    }

    @ParameterizedTest
    @EnumSource
    @Rule("LSE-19")
    @DisplayName("section 3: extendAtLeast never shortens, by the lease and by id")
    void extendAtLeast(Driver driver) {
        Lease lease = here.acquire("k");
        long now = simulator.nowMs();

        ExtendResult kept = driver.extendAtLeast(lease, Duration.ofSeconds(1)).join();

        assertThat(kept).isEqualTo(new ExtendResult(true, now + 30_000));
        assertThat(lease.remaining()).isGreaterThan(Duration.ofSeconds(29));
        assertThat(driver.extendAtLeast(lease, Duration.ofSeconds(60)).join().expiresAtMs())
                .isEqualTo(now + 60_000);
        assertThat(lease.remaining()).isGreaterThan(Duration.ofSeconds(59));
        assertThat(there.extendAtLeast(lease.lockId(), Duration.ofSeconds(2)).expiresAtMs())
                .isEqualTo(now + 60_000);
        assertThat(there.async().extendAtLeast(lease.lockId(), Duration.ofSeconds(90)))
                .succeedsWithin(SOON)
                .isEqualTo(new ExtendResult(true, now + 90_000));
    }

    @Test
    @DisplayName("section 3: tryAcquire with a duration waits that long and answers with contention, in both views")
    void tryAcquireWithin() {
        Lease held = there.acquire("k", LockOptions.defaults().ttl(Duration.ofHours(1)));
        long start = simulator.nowMs();

        assertThat(here.tryAcquire("k", Duration.ofSeconds(3))).isInstanceOf(Contended.class);
        assertThat(simulator.nowMs() - start).isBetween(3_000L, 3_100L);

        CompletableFuture<AcquireResult> tried =
                here.async().tryAcquire("k", Duration.ofSeconds(3)).toCompletableFuture();
        simulator.advance(Duration.ofSeconds(1));
        assertThat(tried).isNotDone();
        held.close();
        simulator.advance(Duration.ofSeconds(2));
        assertThat(tried).succeedsWithin(SOON).isInstanceOf(Lease.class);
    }

    @Test
    @DisplayName(
            "section 3: capabilities, diagnostics, listing and fences are reached through the guard, in both views")
    void tools() {
        Lease lease = here.acquire("k");

        assertThat(here.capabilities().timeAuthority()).isEqualTo(Capabilities.TimeAuthority.SERVER);
        assertThat(here.diagnostics()).isNotEmpty();
        assertThat(here.async().diagnostics()).succeedsWithin(SOON).isEqualTo(here.diagnostics());
        assertThat(here.listing(null, 10).locks())
                .singleElement()
                .satisfies(info -> assertThat(info.keyHash()).isEqualTo(lease.keyHash()));
        assertThat(here.async().listing(null, 10)).succeedsWithin(SOON).isEqualTo(here.listing(null, 10));
        assertThat(here.listing(null, 1))
                .as("the cursor may be a key")
                .hasToString("LockPage[locks=" + here.listing(null, 1).locks() + ", hasNext=true]");
        assertThat(here.listingRaw(null, 10).locks())
                .singleElement()
                .satisfies(info -> assertThat(info.lockId()).isEqualTo(lease.lockId()));
        assertThat(here.raiseFence("k", new Fence(100))).isEqualTo(new Fence(100));
        assertThat(here.async().raiseFence("k", new Fence(200)))
                .succeedsWithin(SOON)
                .isEqualTo(new Fence(200));
        lease.close();
        assertThat(here.acquire("k").fence()).isEqualTo(new Fence(201));
    }

    @Test
    @DisplayName("section 3: a backend that cannot list says so; without diagnostics there are no findings")
    void missingTools() {
        try (SyncGuard bare = SyncGuard.of(new BareBackend())) {
            assertThat(bare.diagnostics()).isEmpty();
            assertThatExceptionOfType(LockException.class)
                    .isThrownBy(() -> bare.listing(null, 10))
                    .satisfies(e -> assertThat(e.code()).isEqualTo(Code.INVALID_ARGUMENT));
        }
    }

    private static final class BareBackend extends BlockingBackend {

        BareBackend() {
            super(new MemoryLockBackend());
        }

        @Override
        public java.util.Optional<dev.syncguard.spi.LockListing> listing() {
            return java.util.Optional.empty();
        }

        @Override
        public java.util.Optional<dev.syncguard.spi.StoreDiagnostics> diagnostics() {
            return java.util.Optional.empty();
        }
    }

    @Test
    @DisplayName("section 3: withLock gives the lease to a function and frees the lock, whatever happens")
    void withLock() {
        assertThat(here.<Fence>withLock("k", Lease::fence)).isEqualTo(new Fence(1));
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> here.withLock("k", LockOptions.defaults(), lease -> {
                    throw new IllegalArgumentException("the body's");
                }));
        assertThat(here.isLocked("k")).isFalse();
    }

    @Test
    @DisplayName("section 3: options that say the same are equal, and their text says what is set")
    void optionsAreValues() {
        LockOptions options = LockOptions.defaults().ttl(Duration.ofSeconds(7)).autoExtend();
        LockOptions same = LockOptions.defaults().autoExtend().ttl(Duration.ofSeconds(7));

        assertThat(options).isEqualTo(same).hasSameHashCodeAs(same).isNotEqualTo(LockOptions.defaults());
        assertThat(options.holdAtMost(Duration.ofHours(1))).isNotEqualTo(options);
        assertThat(options.interruptOnLoss()).isNotEqualTo(options);
        assertThat(options.holdAtLeast(Duration.ofHours(1))).isNotEqualTo(options);
        assertThat(options.releaseOnFailure()).isNotEqualTo(options);
        assertThat(options.holdAtMost(Duration.ofHours(1))
                        .interruptOnLoss()
                        .holdAtLeast(Duration.ofMinutes(5))
                        .releaseOnFailure())
                .asString()
                .contains("ttl=PT7S", "autoExtend", "holdAtMost=PT1H", "interruptOnLoss")
                .contains("holdAtLeast=PT5M", "releaseOnFailure");
        assertThat(LockOptions.defaults().toString()).doesNotContain("autoExtend", "holdAtMost", "interruptOnLoss");
    }
}
