package dev.syncguard.tck;

import dev.syncguard.spi.LockBackend;
import org.junit.jupiter.api.Assumptions;

/** The two ways to call a backend. */
enum Form {
    BLOCKING {
        @Override
        LockBackend of(LockBackend backend) {
            return backend;
        }
    },
    ASYNCHRONOUS {
        @Override
        LockBackend of(LockBackend backend) {
            return backend.async()
                    .<LockBackend>map(async -> new JoinedBackend(backend, async))
                    .orElseGet(() -> Assumptions.abort("this backend has no asynchronous operations of its own"));
        }
    };

    abstract LockBackend of(LockBackend backend);
}
