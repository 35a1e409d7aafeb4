package dev.syncguard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.syncguard.LockException.Code;
import dev.syncguard.memory.MemoryLockBackend;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class SignalledVerbsTest {

    private static final Duration TTL = Duration.ofSeconds(20);

    private final SyncGuard guard = SyncGuard.of(new MemoryLockBackend());
    private final Lease lease = guard.acquire("k");

    private final Map<String, BiFunction<SyncGuard, AbortSignal, Object>> blocking = Map.ofEntries(
            Map.entry("acquire", (g, s) -> g.acquire("x", g.options(), s)),
            Map.entry("tryAcquire", (g, s) -> g.tryAcquire("x", g.options(), s)),
            Map.entry("tryAcquire within", (g, s) -> g.tryAcquire("x", TTL, s)),
            Map.entry("call", (g, s) -> g.<Boolean, RuntimeException>call("x", g.options(), s, held -> true)),
            Map.entry("withLock", (g, s) -> g.withLock("x", g.options(), s, held -> true)),
            Map.entry("diagnostics", (g, s) -> g.diagnostics(s)),
            Map.entry("listing", (g, s) -> g.listing(null, 10, s)),
            Map.entry("listingRaw", (g, s) -> g.listingRaw(null, 10, s)),
            Map.entry("raiseFence", (g, s) -> g.raiseFence("x", new Fence(7), s)),
            Map.entry("release by id", (g, s) -> g.release(lease.lockId(), s)),
            Map.entry("extend by id", (g, s) -> g.extend(lease.lockId(), TTL, s)),
            Map.entry("extendAtLeast by id", (g, s) -> g.extendAtLeast(lease.lockId(), TTL, s)),
            Map.entry("isLocked", (g, s) -> g.isLocked("k", s)),
            Map.entry("owns", (g, s) -> g.owns(lease.lockId(), s)),
            Map.entry("lookup", (g, s) -> g.lookup("k", s)),
            Map.entry("lookup by id", (g, s) -> g.lookup(lease.lockId(), s)),
            Map.entry("lookupRaw", (g, s) -> g.lookupRaw("k", s)),
            Map.entry("lookupRaw by id", (g, s) -> g.lookupRaw(lease.lockId(), s)),
            Map.entry("lease.extend", (g, s) -> lease.extend(TTL, s)),
            Map.entry("lease.extendAtLeast", (g, s) -> lease.extendAtLeast(TTL, s)),
            Map.entry("lease.release", (g, s) -> lease.release(s)));

    private final Map<String, BiFunction<AsyncSyncGuard, AbortSignal, CompletionStage<?>>> staged = Map.ofEntries(
            Map.entry("acquire", (g, s) -> g.acquire("x", guard.options(), s)),
            Map.entry("tryAcquire", (g, s) -> g.tryAcquire("x", guard.options(), s)),
            Map.entry("tryAcquire within", (g, s) -> g.tryAcquire("x", TTL, s)),
            Map.entry("call", (g, s) -> g.call("x", guard.options(), s, Lease::releaseAsync)),
            Map.entry("run", (g, s) -> g.run("x", guard.options(), s, Lease::releaseAsync)),
            Map.entry("diagnostics", (g, s) -> g.diagnostics(s)),
            Map.entry("listing", (g, s) -> g.listing(null, 10, s)),
            Map.entry("listingRaw", (g, s) -> g.listingRaw(null, 10, s)),
            Map.entry("raiseFence", (g, s) -> g.raiseFence("x", new Fence(7), s)),
            Map.entry("release by id", (g, s) -> g.release(lease.lockId(), s)),
            Map.entry("extend by id", (g, s) -> g.extend(lease.lockId(), TTL, s)),
            Map.entry("extendAtLeast by id", (g, s) -> g.extendAtLeast(lease.lockId(), TTL, s)),
            Map.entry("isLocked", (g, s) -> g.isLocked("k", s)),
            Map.entry("owns", (g, s) -> g.owns(lease.lockId(), s)),
            Map.entry("lookup", (g, s) -> g.lookup("k", s)),
            Map.entry("lookup by id", (g, s) -> g.lookup(lease.lockId(), s)),
            Map.entry("lookupRaw", (g, s) -> g.lookupRaw("k", s)),
            Map.entry("lookupRaw by id", (g, s) -> g.lookupRaw(lease.lockId(), s)),
            Map.entry("lease.extendAsync", (g, s) -> lease.extendAsync(TTL, s)),
            Map.entry("lease.extendAtLeastAsync", (g, s) -> lease.extendAtLeastAsync(TTL, s)),
            Map.entry("lease.releaseAsync", (g, s) -> lease.releaseAsync(s)));

    @AfterEach
    void end() {
        guard.close();
    }

    @Test
    @Rule("VRB-1")
    @DisplayName("section 3: every verb takes a signal; one that has fired means Aborted, and nothing changes")
    void aborted() {
        AbortSignal fired = AbortSignal.create();
        fired.abort();

        blocking.forEach((name, verb) -> assertThatExceptionOfType(LockException.class)
                .as(name)
                .isThrownBy(() -> verb.apply(guard, fired))
                .satisfies(e -> assertThat(e.code()).as(name).isEqualTo(Code.ABORTED)));
        staged.forEach((name, verb) -> assertThat(verb.apply(guard.async(), fired))
                .as(name)
                .failsWithin(Duration.ofSeconds(20))
                .withThrowableThat()
                .havingCause()
                .isInstanceOfSatisfying(
                        LockException.class, e -> assertThat(e.code()).as(name).isEqualTo(Code.ABORTED)));

        assertThat(lease.isValid()).isTrue();
        assertThat(guard.owns(lease.lockId())).isTrue();
        assertThat(guard.isLocked("x")).isFalse();
        assertThat(((Lease) guard.tryAcquire("x")).fence())
                .as("the counter was not raised")
                .isEqualTo(new Fence(1));
    }

    @Test
    @Rule("VRB-1")
    @DisplayName("section 3: a signal that does not fire changes nothing")
    void notAborted() {
        AbortSignal quiet = AbortSignal.create();

        assertThat(guard.extend(lease.lockId(), TTL, quiet).ok()).isTrue();
        assertThat(lease.extendAtLeast(TTL, quiet).ok()).isTrue();
        assertThat(guard.lookup("k", quiet)).isPresent();
        assertThat(guard.async().isLocked("k", quiet)).succeedsWithin(TTL).isEqualTo(true);
        assertThat(lease.releaseAsync(quiet)).succeedsWithin(TTL).isEqualTo(true);
    }
}
