package dev.syncguard.cli.demo;

import dev.syncguard.Fence;

/** What the lock protects: it remembers the highest fence, and refuses a writer with a lower one. */
final class Account {

    private Fence highest = new Fence(0);
    private int balance;
    private int refused;

    boolean deposit(int amount, Fence fence) {
        if (highest.isNewerThan(fence)) {
            refused++;
            return false;
        }
        highest = fence;
        balance += amount;
        return true;
    }

    Fence highest() {
        return highest;
    }

    int balance() {
        return balance;
    }

    int refused() {
        return refused;
    }
}
