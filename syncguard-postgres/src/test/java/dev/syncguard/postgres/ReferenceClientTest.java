package dev.syncguard.postgres;

import static dev.syncguard.postgres.Locks.MINUTE;
import static dev.syncguard.postgres.Locks.NONE;
import static dev.syncguard.postgres.Locks.acquire;
import static dev.syncguard.postgres.Locks.grant;
import static dev.syncguard.postgres.Locks.newKey;
import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import dev.syncguard.Ttl;
import dev.syncguard.spi.AcquireOutcome.Granted;
import dev.syncguard.spi.AcquireOutcome.Refused;
import dev.syncguard.spi.ExtendOutcome.Extended;
import dev.syncguard.spi.LockBackend;
import dev.syncguard.spi.LockIds;
import dev.syncguard.spi.ReleaseOutcome;
import dev.syncguard.testbed.PostgresReferenceClient;
import dev.syncguard.testbed.PostgresReferenceClient.Held;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** A client of the specification's reference on the same tables as a backend with the builder's defaults. */
@TestInstance(Lifecycle.PER_CLASS)
class ReferenceClientTest {

    private static final int GRANTS = 1000;
    private static final long LIMIT = TimeUnit.SECONDS.toNanos(20);

    private final TestDatabase database = TestDatabase.create();
    private final LockBackend ours =
            database.builder().commandTimeout(Duration.ofSeconds(30)).build(); // for a busy machine
    private final PostgresReferenceClient theirs = reference();

    private PostgresReferenceClient reference() {
        try {
            return new PostgresReferenceClient(
                    TestDatabase.plain(database.url), database.names.quotedLocks(), database.names.quotedCounters());
        } catch (java.sql.SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @AfterAll
    void close() throws Exception {
        theirs.close();
        ours.close();
        database.close();
    }

    @Test
    @DisplayName("each finds, extends and releases what the other locked, and neither gets it meanwhile")
    void eachOther() throws Exception {
        LockKey key = newKey();
        Granted mine = grant(ours, key);
        assertThat(theirs.acquire(key.value(), 60_000)).isEmpty();
        assertThat(theirs.lookup(key.value())).hasValueSatisfying(held -> {
            assertThat(held.lockId()).isEqualTo(mine.lockId().value());
            assertThat(held.fence()).isEqualTo("000000000000001");
        });
        assertThat(theirs.extend(mine.lockId().value(), 120_000)).isTrue();
        assertThat(theirs.release(mine.lockId().value())).isTrue();

        Held other = theirs.acquire(key.value(), 60_000).orElseThrow();
        LockId otherId = LockId.parse(other.lockId());
        assertThat(other.fence()).isEqualTo("000000000000002");
        assertThat(acquire(ours, key)).isInstanceOf(Refused.class);
        assertThat(ours.findByKey(key, NONE)).hasValueSatisfying(found -> {
            assertThat(found.lockId()).isEqualTo(otherId);
            assertThat(found.fence().value()).isEqualTo(2);
        });
        assertThat(ours.extend(otherId, MINUTE, NONE)).isInstanceOf(Extended.class);
        assertThat(ours.release(otherId, NONE)).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(grant(ours, key).fence().value()).isEqualTo(3);
    }

    @Test
    @DisplayName("what the reference wrote into key_debug stays")
    void keepsExtraColumn() throws Exception {
        LockKey key = newKey();
        theirs.release(theirs.acquire(key.value(), 60_000).orElseThrow().lockId());

        ours.release(grant(ours, key).lockId(), NONE);

        assertThat(database.query("SELECT key_debug FROM {counters} WHERE fence_key = 'fence:" + key.value() + "'"))
                .isEqualTo(key.value());
    }

    @Test
    @DisplayName("in a race for one key they never hold it together, and fences rise in one order")
    void race() {
        LockKey key = newKey();
        AtomicInteger holders = new AtomicInteger();
        AtomicInteger overlaps = new AtomicInteger();
        List<String> fences = Collections.synchronizedList(new ArrayList<>());
        Runnable held = () -> {
            if (holders.incrementAndGet() != 1) {
                overlaps.incrementAndGet();
            }
            LockSupport.parkNanos(200_000);
            holders.decrementAndGet();
        };
        long start = System.nanoTime();
        ExecutorService threads = Executors.newFixedThreadPool(6);
        try {
            List<CompletableFuture<Void>> racers = IntStream.range(0, 6)
                    .mapToObj(i ->
                            CompletableFuture.runAsync(() -> race(i % 2 == 0, key, held, fences, start), threads))
                    .toList();
            racers.forEach(CompletableFuture::join);
        } finally {
            threads.shutdownNow();
        }

        assertThat(overlaps).hasValue(0);
        assertThat(fences).hasSizeGreaterThan(100).isSorted().doesNotHaveDuplicates();
    }

    private void race(boolean isOurs, LockKey key, Runnable held, List<String> fences, long start) {
        try (PostgresReferenceClient own = reference()) {
            while (fences.size() < GRANTS && System.nanoTime() - start < LIMIT) {
                if (isOurs && acquire(ours, key, LockIds.random(), new Ttl(30_000)) instanceof Granted granted) {
                    fences.add(granted.fence().toString());
                    held.run();
                    ours.release(granted.lockId(), NONE);
                } else if (!isOurs) {
                    Optional<Held> granted = own.acquire(key.value(), 30_000);
                    if (granted.isPresent()) {
                        fences.add(granted.get().fence());
                        held.run();
                        own.release(granted.get().lockId());
                    }
                }
            }
        } catch (java.sql.SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
