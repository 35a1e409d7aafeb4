package dev.syncguard;

import dev.syncguard.spi.AsyncLockBackend;
import dev.syncguard.spi.ForwardingLockBackend;
import dev.syncguard.spi.HandOver;
import dev.syncguard.spi.LockBackend;
import dev.syncguard.spi.ReleaseSignals;
import java.util.Optional;

/** A backend that can only block and sends no signals, for tests to override what they look at. */
class BlockingBackend extends ForwardingLockBackend {

    BlockingBackend(LockBackend target) {
        super(target);
    }

    @Override
    public Optional<AsyncLockBackend> async() {
        return Optional.empty();
    }

    @Override
    public Optional<HandOver> handOver() {
        return Optional.empty();
    }

    @Override
    public Optional<ReleaseSignals> releaseSignals() {
        return Optional.empty();
    }
}
