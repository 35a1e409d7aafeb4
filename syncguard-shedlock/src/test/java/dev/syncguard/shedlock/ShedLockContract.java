package dev.syncguard.shedlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.SyncGuard;
import java.time.Duration;
import net.javacrumbs.shedlock.core.ExtensibleLockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.test.support.AbstractExtensibleLockProviderIntegrationTest;
import org.junit.jupiter.api.Test;

/**
 * ShedLock's own contract tests. Another process looks whether a lock is in the store.
 *
 * <p>Two of them lock for 50 and for 1 ms. A grant that arrives later than that is refused here, and the job not run; so these
 * two take the first multiple for which the machine is quick enough, and are otherwise the same.
 */
abstract class ShedLockContract extends AbstractExtensibleLockProviderIntegrationTest {

    private final SyncGuard observer;
    private final SyncGuardLockProvider provider;

    ShedLockContract(SyncGuard guard, SyncGuard observer) {
        this.provider = new SyncGuardLockProvider(guard, "job:");
        this.observer = observer;
    }

    @Override
    protected ExtensibleLockProvider getLockProvider() {
        return provider;
    }

    @Override
    protected void assertUnlocked(String lockName) {
        assertThat(isLocked(lockName)).isFalse();
    }

    @Override
    protected void assertLocked(String lockName) {
        assertThat(isLocked(lockName)).isTrue();
    }

    @Test
    @Override
    public void shouldTimeout() {
        lockFor(Duration.ofMillis(50));
        await().until(() -> !isLocked(LOCK_NAME1));

        lockFor(Duration.ofMillis(50)).unlock();
    }

    @Test
    @Override
    public void shouldNotBeAbleToExtendExpiredLock() {
        SimpleLock lock = lockFor(Duration.ofMillis(1));
        await().until(() -> !isLocked(LOCK_NAME1));

        assertThat(lock.extend(Duration.ofSeconds(10), Duration.ZERO)).isEmpty();
        assertUnlocked(LOCK_NAME1);
        lock.unlock();
    }

    private SimpleLock lockFor(Duration atMost) {
        try {
            return provider.lock(lockConfig(LOCK_NAME1, atMost, Duration.ZERO)).orElseThrow();
        } catch (LockException e) {
            assertThat(e.code()).isEqualTo(Code.NETWORK_TIMEOUT);
            await().until(() -> !isLocked(LOCK_NAME1));
            return lockFor(atMost.multipliedBy(2));
        }
    }

    /** By the expiry alone: an observer's own answer has a tolerance that ShedLock does not know. */
    private boolean isLocked(String lockName) {
        return observer.lookup("job:" + lockName)
                .filter(lock -> lock.expiresAtMs() > System.currentTimeMillis())
                .isPresent();
    }
}
