package dev.syncguard.internal;

import java.util.concurrent.atomic.AtomicInteger;

/** Decides once whether a request that waits for a thread is sent or called back. */
class SendGate {

    /** The gate of requests that are sent at once. */
    static final SendGate SENT = new SendGate();

    static {
        SENT.send();
    }

    private final AtomicInteger state = new AtomicInteger();

    /** Returns whether to send; the request cannot be called back any more then. */
    final boolean send() {
        return state.compareAndSet(0, 1);
    }

    final boolean isWaiting() {
        return state.get() == 0;
    }

    final boolean isSent() {
        return state.get() == 1;
    }

    /** Returns whether the request was called back before it was sent. */
    final boolean callBack() {
        return state.compareAndSet(0, 2);
    }
}
