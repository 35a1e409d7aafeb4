package dev.syncguard;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.syncguard.LockException.Code;
import dev.syncguard.memory.LockSimulator;
import dev.syncguard.memory.LockSimulator.Operation;
import dev.syncguard.spi.AcquireOutcome;
import dev.syncguard.spi.AcquireRequest;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class SanitisingTest {

    private static final String KEY = "patient:4711:secret";

    private final LockSimulator simulator = new LockSimulator();

    @Test
    @Rule("HSH-2")
    @DisplayName("neither key nor lock id is in any text, message or log record")
    void texts() {
        List<String> texts = new ArrayList<>();
        Lease lease;
        try (LogCapture log = LogCapture.start();
                SyncGuard guard = simulator.newGuard()) {
            lease = guard.acquire(
                    KEY, LockOptions.defaults().ttl(Duration.ofSeconds(10)).autoExtend());
            LockKey key = LockKey.of(KEY);
            AcquireRequest request = new AcquireRequest(key, lease.lockId(), Ttl.DEFAULT, true);
            texts.add(lease.toString());
            texts.add(lease.lockId().toString());
            texts.add(key.toString());
            texts.add(request.toString());
            texts.add(guard.lookup(KEY).toString());
            texts.add(guard.lookupRaw(KEY).toString());
            texts.add(simulator.stored(KEY).toString());
            AcquireOutcome granted = simulator.newBackend().acquire(request, AbortSignal.none());
            texts.add(granted.toString());
            texts.add(trace(() -> guard.acquire(KEY, LockOptions.defaults().maxRetries(0))));
            simulator.failNext(Operation.EXTEND, Code.INTERNAL);
            texts.add(trace(() -> lease.extend(Duration.ofSeconds(1))));
            simulator.dropReply(Operation.ACQUIRE);
            texts.add(trace(() -> {
                var unused = guard.tryAcquire(KEY);
            }));
            simulator.failNext(Operation.EXTEND, Code.INTERNAL);
            simulator.advance(Duration.ofSeconds(4));
            simulator.pauseHolder(KEY, Duration.ofMinutes(1));
            texts.add(trace(lease::ensureValid));
            simulator.failNext(Operation.RELEASE, Code.INTERNAL);
            lease.close();
            texts.addAll(log.messages());
            assertThat(log.messages()).hasSizeGreaterThanOrEqualTo(3);
        }

        assertThat(texts)
                .allSatisfy(text -> assertThat(text)
                        .doesNotContain(KEY)
                        .doesNotContain(lease.lockId().value()));
    }

    @Test
    @Rule("HSH-3")
    @DisplayName("lookup gives hashes only; lookupRaw gives the identifiers")
    void lookup() {
        try (SyncGuard guard = simulator.newGuard()) {
            Lease lease = guard.acquire(KEY);

            LockInfo info = guard.lookup(KEY).orElseThrow();
            assertThat(info.keyHash()).isEqualTo(KeyHash.canonical().hash(KEY)).isEqualTo(lease.keyHash());
            assertThat(info.lockIdHash())
                    .isEqualTo(KeyHash.canonical().hash(lease.lockId().value()));
            assertThat(info.fence()).isEqualTo(lease.fence());
            assertThat(info.expiresAtMs()).isEqualTo(lease.expiresAtMs());
            assertThat(guard.lookup(lease.lockId())).contains(info);
            assertThat(guard.owns(lease.lockId())).isTrue();

            RawLockInfo raw = guard.lookupRaw(lease.lockId()).orElseThrow();
            assertThat(raw).isEqualTo(new RawLockInfo(KEY, lease.lockId(), info));

            lease.release();
            assertThat(guard.lookup(KEY)).isEmpty();
            assertThat(guard.lookupRaw(lease.lockId())).isEmpty();
            assertThat(guard.owns(lease.lockId())).isFalse();
        }
    }

    @Test
    @Rule("HSH-4")
    @DisplayName("a keyed hash stands wherever the guard shows a hash")
    void keyed() {
        KeyHash keyed = KeyHash.keyed("0123456789abcdef".getBytes(UTF_8));
        String canonical = KeyHash.canonical().hash(KEY);
        try (LogCapture log = LogCapture.start();
                SyncGuard guard = simulator.newGuard(builder -> builder.hash(keyed))) {
            Lease lease = guard.acquire(KEY, LockOptions.defaults().ttl(Duration.ofSeconds(1)));

            assertThat(lease.keyHash()).isEqualTo(keyed.hash(KEY)).isNotEqualTo(canonical);
            assertThat(guard.lookup(KEY).orElseThrow().keyHash()).isEqualTo(keyed.hash(KEY));
            assertThat(guard.lookup(KEY).orElseThrow().lockIdHash())
                    .isEqualTo(keyed.hash(lease.lockId().value()));
            assertThat(catchThrowable(
                            () -> guard.acquire(KEY, LockOptions.defaults().maxRetries(0))))
                    .hasMessageContaining(keyed.hash(KEY))
                    .hasMessageNotContaining(canonical);
            simulator.advance(Duration.ofSeconds(2));
            assertThat(lease.wasLost()).isTrue();
            assertThat(log.messages())
                    .singleElement()
                    .asString()
                    .contains(keyed.hash(KEY))
                    .doesNotContain(canonical);
        }
    }

    private static String trace(Runnable call) {
        StringWriter text = new StringWriter();
        catchThrowable(call::run).printStackTrace(new PrintWriter(text));
        return text.toString();
    }
}
