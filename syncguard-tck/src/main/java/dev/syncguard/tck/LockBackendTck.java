package dev.syncguard.tck;

import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import dev.syncguard.SyncGuard;
import dev.syncguard.spi.LockBackend;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/**
 * The contract of a lock backend. Extend it, say how to make a backend and how to look into its store, and run it with
 * JUnit.
 *
 * <pre>{@code
 * class MyLockBackendTckTest extends LockBackendTck {
 *     private final MyServer server = MyServer.start();
 *
 *     protected LockBackend createBackend() {
 *         return MyLockBackend.connect(server.url());
 *     }
 *
 *     protected StoreProbe store() {
 *         return new MyStoreProbe(server);
 *     }
 * }
 * }</pre>
 *
 * <p>One instance serves all tests of a class, so fields hold the server. Every test uses keys of its own; nothing needs to
 * be cleaned up between tests. A capability that the backend does not have is skipped, with a message; anything else that
 * is missing fails.
 */
@TestInstance(Lifecycle.PER_CLASS)
public abstract class LockBackendTck {

    private final Deque<LockBackend> opened = new ArrayDeque<>();
    private @Nullable LockBackend backend;
    private @Nullable LockBackend other;

    /** For subclasses. */
    protected LockBackendTck() {}

    /**
     * Creates a backend on the store, as a process that starts would. All backends that this returns share the store. The
     * TCK closes it.
     *
     * @return a new backend
     */
    protected abstract LockBackend createBackend();

    /**
     * Returns a look into the store.
     *
     * @return a probe that does not use the backend under test
     */
    protected abstract StoreProbe store();

    /**
     * Creates a guard on the store. Override it, together with {@link #passTime}, if the store's time is not the real one.
     *
     * @return a new guard; the TCK closes it
     */
    protected SyncGuard createGuard() {
        return SyncGuard.of(createBackend());
    }

    /**
     * Lets time pass for the store and for guards. Really waits unless overridden.
     *
     * @param duration how long
     */
    protected void passTime(Duration duration) {
        pause(duration);
    }

    /**
     * Creates a backend whose store cannot be reached, to see how it fails: soon, if possible. Optional: without it that test
     * is skipped.
     *
     * @return a backend that exists although its store does not answer; the TCK closes it
     */
    protected LockBackend createUnreachableBackend() {
        return Assumptions.abort("the test does not say how to make a backend whose store cannot be reached");
    }

    /**
     * Creates a backend that removes locks which ended more than two seconds ago when it is asked whether a key is locked.
     * Optional: without it that test is skipped.
     *
     * @return a backend with that setting switched on; the TCK closes it
     */
    protected LockBackend createCleaningBackend() {
        return Assumptions.abort("this backend does not clean up when it is asked whether a key is locked");
    }

    /**
     * Returns a lock id as a client in another language may draw it: beginning with {@code -}. Override it if lock ids of
     * this store lead to their locks.
     *
     * @param key the key that will be locked
     * @return a new lock id that the store can keep for the key
     */
    protected LockId lockIdOfOtherClient(LockKey key) {
        return LockId.parse("-" + backend().newLockId(key).value().substring(1));
    }

    /** Returns how long a test waits for something that must happen; shorter where it is known not to. */
    Duration patience() {
        return Duration.ofSeconds(20);
    }

    /** Returns the backend that most tests share. */
    final LockBackend backend() {
        if (backend == null) {
            backend = open();
        }
        return backend;
    }

    /** Returns a second backend on the same store, as in another process. */
    final LockBackend other() {
        if (other == null) {
            other = open();
        }
        return other;
    }

    private LockBackend open() {
        LockBackend fresh = createBackend();
        opened.push(fresh);
        return fresh;
    }

    @AfterAll
    final void closeBackends() {
        opened.forEach(LockBackend::close);
        opened.clear();
    }

    static void pause(Duration duration) {
        try {
            Thread.sleep(duration.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting", e);
        }
    }

    @Nested
    @DisplayName("capabilities")
    final class Capability extends CapabilityRules {
        Capability() {
            super(LockBackendTck.this);
        }
    }

    @Nested
    @DisplayName("acquire")
    final class Acquire extends AcquireRules {
        Acquire() {
            super(LockBackendTck.this, Form.BLOCKING);
        }
    }

    @Nested
    @DisplayName("release")
    final class Release extends ReleaseRules {
        Release() {
            super(LockBackendTck.this, Form.BLOCKING);
        }
    }

    @Nested
    @DisplayName("extend")
    final class Extend extends ExtendRules {
        Extend() {
            super(LockBackendTck.this, Form.BLOCKING);
        }
    }

    @Nested
    @DisplayName("isLocked")
    final class IsLocked extends IsLockedRules {
        IsLocked() {
            super(LockBackendTck.this, Form.BLOCKING);
        }
    }

    @Nested
    @DisplayName("find")
    final class Lookup extends LookupRules {
        Lookup() {
            super(LockBackendTck.this, Form.BLOCKING);
        }
    }

    @Nested
    @DisplayName("labels")
    final class Labels extends LabelRules {
        Labels() {
            super(LockBackendTck.this, Form.BLOCKING);
        }
    }

    @Nested
    @DisplayName("fences")
    final class Fences extends FenceRules {
        Fences() {
            super(LockBackendTck.this, Form.BLOCKING);
        }
    }

    @Nested
    @DisplayName("keys")
    final class Keys extends KeyRules {
        Keys() {
            super(LockBackendTck.this, Form.BLOCKING);
        }
    }

    @Nested
    @DisplayName("errors")
    final class Errors extends ErrorRules {
        Errors() {
            super(LockBackendTck.this, Form.BLOCKING);
        }
    }

    @Nested
    @DisplayName("cancellation")
    final class Cancellation extends CancellationRules {
        Cancellation() {
            super(LockBackendTck.this, Form.BLOCKING);
        }
    }

    @Nested
    @DisplayName("release signals")
    final class Signals extends SignalRules {
        Signals() {
            super(LockBackendTck.this);
        }
    }

    @Nested
    @DisplayName("hand-over")
    final class HandOver extends HandOverRules {
        HandOver() {
            super(LockBackendTck.this);
        }
    }

    @Nested
    @DisplayName("listing")
    final class Listing extends ListingRules {
        Listing() {
            super(LockBackendTck.this);
        }
    }

    @Nested
    @DisplayName("many at once")
    final class Concurrency extends ConcurrencyRules {
        Concurrency() {
            super(LockBackendTck.this);
        }
    }

    @Nested
    @DisplayName("leases")
    final class Leases extends LeaseRules {
        Leases() {
            super(LockBackendTck.this);
        }
    }

    @Nested
    @DisplayName("the asynchronous view")
    final class AsyncView extends AsyncViewRules {
        AsyncView() {
            super(LockBackendTck.this);
        }
    }

    @Nested
    @DisplayName("asynchronously")
    final class Asynchronously extends AsynchronousGroups {
        Asynchronously() {
            super(LockBackendTck.this);
        }
    }
}
