package dev.syncguard.shedlock;

import static java.time.Duration.ZERO;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.syncguard.Lease;
import dev.syncguard.LeaseLostException;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockOptions;
import dev.syncguard.SyncGuard;
import dev.syncguard.memory.LockSimulator;
import dev.syncguard.memory.LockSimulator.Operation;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import net.javacrumbs.shedlock.core.DefaultLockingTaskExecutor;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockExtender;
import net.javacrumbs.shedlock.core.LockExtender.LockCanNotBeExtendedException;
import net.javacrumbs.shedlock.core.LockingTaskExecutor.Task;
import net.javacrumbs.shedlock.core.SimpleLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class SyncGuardLockProviderTest {

    private final LockSimulator simulator = new LockSimulator();
    private final SyncGuard guard = simulator.newGuard();
    private final SyncGuardLockProvider provider = new SyncGuardLockProvider(guard);
    private final DefaultLockingTaskExecutor jobs = new DefaultLockingTaskExecutor(provider);

    @AfterEach
    void noLeaseIsLeftOnTheThread() {
        assertThatIllegalStateException().isThrownBy(JobLease::current);
    }

    private static LockConfiguration job(String name) {
        return job(name, ofMinutes(10), ZERO);
    }

    private static LockConfiguration job(String name, Duration atMost, Duration atLeast) {
        return new LockConfiguration(Instant.now(), name, atMost, atLeast);
    }

    private boolean isFree(String key) {
        return simulator.stored(key).isEmpty();
    }

    private Duration left(String key) {
        return Duration.ofMillis(simulator.stored(key).orElseThrow().expiresAtMs() - simulator.nowMs());
    }

    @Test
    @DisplayName("a run with another ShedLock really has it")
    void version() {
        String expected = System.getProperty("shedlock.expected", "");
        assertThat(LockConfiguration.class.getProtectionDomain().getCodeSource().getLocation())
                .asString()
                .contains(expected);
    }

    @Test
    @DisplayName("a job has its lease, with a higher fence each time")
    void fence() {
        List<String> fences = new ArrayList<>();
        Runnable work = () -> fences.add(JobLease.current().fence().toString());

        jobs.executeWithLock(work, job("report"));
        jobs.executeWithLock(work, job("report"));

        assertThat(fences).containsExactly("000000000000001", "000000000000002");
    }

    @Test
    @DisplayName("a job inside another one has its own lease, and then the outer one has its again")
    void nested() {
        jobs.executeWithLock(
                (Runnable) () -> {
                    Lease outer = JobLease.current();
                    jobs.executeWithLock(
                            (Runnable) () ->
                                    assertThat(JobLease.current().keyHash()).isNotEqualTo(outer.keyHash()),
                            job("inner"));
                    assertThat(JobLease.current()).isSameAs(outer);
                },
                job("outer"));
    }

    @Test
    @DisplayName("a job that throws, an Error too, is unlocked, and its exception arrives")
    void failures() {
        Task failing = () -> {
            throw new AssertionError("the job's");
        };

        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> jobs.executeWithLock(failing, job("report")))
                .withMessage("the job's");
        assertThat(isFree("report")).isTrue();
    }

    @Test
    @DisplayName("an unlock that the store fails does not fail the job, and goes on in the background")
    void unlockFails() {
        simulator.failNext(Operation.RELEASE, Code.SERVICE_UNAVAILABLE);
        simulator.failNext(Operation.RELEASE, Code.SERVICE_UNAVAILABLE);

        jobs.executeWithLock((Runnable) () -> {}, job("report"));
        simulator.advance(ofSeconds(10));

        assertThat(isFree("report")).isTrue();
    }

    @Test
    @DisplayName("a store that fails is not taken for a lock that is held")
    void lockFails() {
        simulator.failNext(Operation.ACQUIRE, Code.SERVICE_UNAVAILABLE);

        assertThatExceptionOfType(LockException.class)
                .isThrownBy(() -> provider.lock(job("report")))
                .matches(failure -> failure.code() == Code.SERVICE_UNAVAILABLE);
    }

    @Test
    @DisplayName("an interrupted thread gets no lock, leaves none and stays interrupted")
    void interrupted() {
        Thread.currentThread().interrupt();

        assertThatExceptionOfType(LockException.class)
                .isThrownBy(() -> provider.lock(job("report")))
                .matches(failure -> failure.code() == Code.ABORTED);

        assertThat(Thread.interrupted()).isTrue();
        assertThat(isFree("report")).isTrue();
    }

    @Test
    @DisplayName("a job whose thread was interrupted is unlocked all the same")
    void interruptedJob() {
        jobs.executeWithLock((Runnable) () -> Thread.currentThread().interrupt(), job("report"));

        assertThat(Thread.interrupted()).isTrue();
        assertThat(isFree("report")).isTrue();
    }

    @Test
    @DisplayName("a job that outlives its lock can notice, and does not unlock the next one's")
    void lost() {
        jobs.executeWithLock(
                (Runnable) () -> {
                    simulator.advance(ofMinutes(11));
                    simulator.newGuard().acquire("report");
                    assertThatExceptionOfType(LeaseLostException.class)
                            .isThrownBy(() -> JobLease.current().ensureValid());
                },
                job("report"));

        assertThat(isFree("report")).isFalse();
    }

    @Test
    @DisplayName("durations are rounded up to whole milliseconds")
    void rounding() {
        SimpleLock lock = provider.lock(job("report", Duration.ofNanos(1_500_000), Duration.ofNanos(500_000)))
                .orElseThrow();

        assertThat(left("report")).isEqualTo(Duration.ofMillis(2));
        lock.unlock();
        assertThat(left("report")).isEqualTo(Duration.ofMillis(1));
    }

    @Test
    @DisplayName("the lock is not renewed beyond lockAtMostFor, whatever the guard's options say; its handlers count")
    void ownOptions() {
        List<LeaseLostException> losses = new ArrayList<>();
        SyncGuard eager = simulator.newGuard(builder -> builder.defaults(
                LockOptions.defaults().autoExtend().holdAtLeast(ofMinutes(30)).onLost(losses::add)));
        SimpleLock lock = new SyncGuardLockProvider(eager)
                .lock(job("report", ofMinutes(1), ZERO))
                .orElseThrow();

        simulator.advance(ofMinutes(2));

        assertThat(losses).hasSize(1);
        lock.unlock();
    }

    @Test
    @DisplayName("LockExtender extends the same lease, with a minimum of its own")
    void extend() {
        jobs.executeWithLock(
                (Runnable) () -> {
                    Lease lease = JobLease.current();
                    simulator.advance(ofMinutes(9));
                    LockExtender.extendActiveLock(ofMinutes(20), ofMinutes(5));
                    simulator.advance(ofMinutes(1));
                    assertThat(JobLease.current()).isSameAs(lease).matches(Lease::isValid);
                },
                job("report"));

        assertThat(left("report")).isEqualTo(ofMinutes(4));
    }

    @Test
    @DisplayName("an extension without a minimum takes back that of the lock")
    void extendWithoutMinimum() {
        SimpleLock lock =
                provider.lock(job("report", ofMinutes(10), ofMinutes(9))).orElseThrow();

        lock.extend(ofMinutes(10), ZERO).orElseThrow().unlock();

        assertThat(isFree("report")).isTrue();
    }

    @Test
    @DisplayName("a lost lock cannot be extended; the job hears of that once, not of its unlock too")
    void extendLost() {
        assertThatExceptionOfType(LockCanNotBeExtendedException.class)
                .isThrownBy(() -> jobs.executeWithLock(
                        (Runnable) () -> {
                            simulator.loseLock("report");
                            LockExtender.extendActiveLock(ofMinutes(20), ZERO);
                        },
                        job("report")));
    }

    @Test
    @DisplayName("an extension that the store fails can be tried again, and the lock be unlocked")
    void extendFails() {
        SimpleLock lock = provider.lock(job("report")).orElseThrow();
        simulator.failNext(Operation.EXTEND, Code.SERVICE_UNAVAILABLE);

        assertThatExceptionOfType(LockException.class).isThrownBy(() -> lock.extend(ofMinutes(1), ZERO));
        Optional<SimpleLock> extended = lock.extend(ofMinutes(1), ZERO);

        extended.orElseThrow().unlock();
        assertThat(isFree("report")).isTrue();
    }

    @Test
    @DisplayName("a second unlock throws and does not touch the next lock")
    void unlockTwice() {
        SimpleLock lock = provider.lock(job("report")).orElseThrow();
        lock.unlock();
        SimpleLock next = provider.lock(job("report")).orElseThrow();

        assertThatIllegalStateException().isThrownBy(lock::unlock);

        assertThat(isFree("report")).isFalse();
        next.unlock();
    }

    @Test
    @DisplayName("a lock that was unlocked on another thread is not the lease of the thread that locked")
    void otherThread() {
        SimpleLock lock = provider.lock(job("report")).orElseThrow();

        CompletableFuture.runAsync(lock::unlock).join();

        assertThat(isFree("report")).isTrue();
    }

    @Test
    @DisplayName("a prefix keeps jobs apart from other locks of the same name")
    void prefix() {
        Lease other = guard.acquire("report");

        SimpleLock lock =
                new SyncGuardLockProvider(guard, "job:").lock(job("report")).orElseThrow();

        assertThat(isFree("job:report")).isFalse();
        lock.unlock();
        other.close();
    }
}
