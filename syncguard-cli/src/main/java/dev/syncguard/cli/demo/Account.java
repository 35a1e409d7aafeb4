package dev.syncguard.cli.demo;

import dev.syncguard.Fence;
import dev.syncguard.fence.MemoryFenceGuard;
import dev.syncguard.fence.StaleFenceException;

/** What the lock protects: its guard remembers the highest fence, and refuses a writer with a lower one. */
final class Account {

    private final MemoryFenceGuard fences = new MemoryFenceGuard();
    private int balance;
    private int refused;

    /** Throws if a later holder has written already; then nothing is added. */
    void deposit(int amount, Fence fence) {
        try {
            fences.advance(DemoWorker.KEY, fence, () -> balance += amount);
        } catch (StaleFenceException stale) {
            refused++;
            throw stale;
        }
    }

    int balance() {
        return balance;
    }

    int refused() {
        return refused;
    }
}
