package dev.syncguard.tck;

import dev.syncguard.spi.ForwardingLockBackend;
import dev.syncguard.spi.LockBackend;

/** Hands everything on to another backend but {@link #close()}: it is borrowed. */
class BorrowedBackend extends ForwardingLockBackend {

    BorrowedBackend(LockBackend target) {
        super(target);
    }

    @Override
    public void close() {}
}
