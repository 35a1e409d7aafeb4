package dev.syncguard.tck;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;

/** The groups of the TCK again, through the backend's own asynchronous operations. */
abstract class AsynchronousGroups {

    private final LockBackendTck tck;

    AsynchronousGroups(LockBackendTck tck) {
        this.tck = tck;
    }

    @Nested
    @DisplayName("stages")
    final class Stages extends AsyncRules {
        Stages() {
            super(tck);
        }
    }

    @Nested
    @DisplayName("acquire")
    final class Acquire extends AcquireRules {
        Acquire() {
            super(tck, Form.ASYNCHRONOUS);
        }
    }

    @Nested
    @DisplayName("release")
    final class Release extends ReleaseRules {
        Release() {
            super(tck, Form.ASYNCHRONOUS);
        }
    }

    @Nested
    @DisplayName("extend")
    final class Extend extends ExtendRules {
        Extend() {
            super(tck, Form.ASYNCHRONOUS);
        }
    }

    @Nested
    @DisplayName("isLocked")
    final class IsLocked extends IsLockedRules {
        IsLocked() {
            super(tck, Form.ASYNCHRONOUS);
        }
    }

    @Nested
    @DisplayName("find")
    final class Lookup extends LookupRules {
        Lookup() {
            super(tck, Form.ASYNCHRONOUS);
        }
    }

    @Nested
    @DisplayName("labels")
    final class Labels extends LabelRules {
        Labels() {
            super(tck, Form.ASYNCHRONOUS);
        }
    }

    @Nested
    @DisplayName("fences")
    final class Fences extends FenceRules {
        Fences() {
            super(tck, Form.ASYNCHRONOUS);
        }
    }

    @Nested
    @DisplayName("keys")
    final class Keys extends KeyRules {
        Keys() {
            super(tck, Form.ASYNCHRONOUS);
        }
    }

    @Nested
    @DisplayName("errors")
    final class Errors extends ErrorRules {
        Errors() {
            super(tck, Form.ASYNCHRONOUS);
        }
    }

    @Nested
    @DisplayName("cancellation")
    final class Cancellation extends CancellationRules {
        Cancellation() {
            super(tck, Form.ASYNCHRONOUS);
        }
    }
}
