package dev.syncguard.memory;

import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import dev.syncguard.spi.HandOver;
import dev.syncguard.spi.ReleaseSignals.Subscription;

/** The hand-over of the memory store as one simulated process takes part in it. */
record SimulatedHandOver(HandOver target, Holders holders, VirtualTime.Machine machine) implements HandOver {

    @Override
    public Subscription subscribe(LockKey key, LockId lockId, Heir heir) {
        return target.subscribe(key, lockId, new Heir() {
            @Override
            public void wake() {
                heir.wake();
            }

            @Override
            public void granted(Message message) {
                holders.granted(key.value(), lockId, machine);
                heir.granted(message);
            }
        });
    }

    @Override
    public boolean isListening(LockKey key) {
        return target.isListening(key);
    }
}
