package dev.syncguard.examples;

import dev.syncguard.Fence;
import dev.syncguard.fence.MemoryFenceGuard;
import dev.syncguard.fence.StaleFenceException;
import java.util.concurrent.atomic.AtomicInteger;

/** What a lock protects: an account behind a guard that refuses a writer with an old fence. */
final class FencedAccount {

    private final MemoryFenceGuard fences = new MemoryFenceGuard();
    private final AtomicInteger balance = new AtomicInteger();

    /** Adds an amount, unless a newer holder has written already; checked and written in one step. */
    boolean deposit(int amount, Fence fence) {
        try {
            fences.advance("account:7", fence, () -> balance.addAndGet(amount));
            return true;
        } catch (StaleFenceException stale) {
            return false;
        }
    }

    int balance() {
        return balance.get();
    }
}
