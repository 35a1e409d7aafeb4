package dev.syncguard.examples;

import dev.syncguard.Fence;
import java.util.concurrent.locks.ReentrantLock;

/** What a lock protects: an account that remembers the highest fence, and refuses a writer with a lower one. */
final class FencedAccount {

    private final ReentrantLock lock = new ReentrantLock();
    private Fence highest = new Fence(0);
    private int balance;

    /** Adds an amount, unless a newer holder has written already; checked and written in one step. */
    boolean deposit(int amount, Fence fence) {
        lock.lock();
        try {
            if (highest.isNewerThan(fence)) {
                return false;
            }
            highest = fence;
            balance += amount;
            return true;
        } finally {
            lock.unlock();
        }
    }

    int balance() {
        lock.lock();
        try {
            return balance;
        } finally {
            lock.unlock();
        }
    }
}
