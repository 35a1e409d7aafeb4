package dev.syncguard.testbed.firestore;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A call that is kept back before it is executed. */
public final class HeldCall {

    private static final Duration ARRIVAL_LIMIT = Duration.ofSeconds(30);

    private final CountDownLatch arrived = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);

    HeldCall() {}

    /** Waits until the call is here. */
    public void awaitArrival() {
        if (!await(arrived, ARRIVAL_LIMIT)) {
            throw new IllegalStateException("no such call came");
        }
    }

    /** Lets the call go on; it need not be here yet. */
    public void release() {
        released.countDown();
    }

    /** Keeps the calling thread until release, the limit or the end of the server. */
    boolean stay(Duration limit) {
        arrived.countDown();
        return await(released, limit);
    }

    private static boolean await(CountDownLatch latch, Duration limit) {
        try {
            return latch.await(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
