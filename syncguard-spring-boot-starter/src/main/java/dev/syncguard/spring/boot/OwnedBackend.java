package dev.syncguard.spring.boot;

import dev.syncguard.spi.ForwardingLockBackend;
import dev.syncguard.spi.LockBackend;

/** A backend leaves open what it was given. Here no other code has it, so it is closed with the backend. */
final class OwnedBackend extends ForwardingLockBackend {

    private final Runnable closing;

    OwnedBackend(LockBackend backend, Runnable closing) {
        super(backend);
        this.closing = closing;
    }

    @Override
    public void close() {
        try {
            super.close();
        } finally {
            closing.run();
        }
    }
}
