package dev.syncguard.examples;

import dev.syncguard.Lease;
import dev.syncguard.LockOptions;
import dev.syncguard.SyncGuard;
import dev.syncguard.memory.MemoryLockBackend;
import java.io.PrintStream;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/**
 * The story in one screen: a holder is frozen past its lease, another one takes over, and the late write of the first is
 * refused by its fence.
 */
public final class Demo {

    private static final String KEY = "account:7";
    private static final LockOptions OPTIONS =
            LockOptions.defaults().ttl(Duration.ofMillis(800)).waitAtMost(Duration.ofSeconds(10));

    private final SyncGuard guard = SyncGuard.of(new MemoryLockBackend());
    private final FencedAccount account = new FencedAccount();
    private final CountDownLatch aliceHolds = new CountDownLatch(1);
    private final CountDownLatch bobIsDone = new CountDownLatch(1);
    private final PrintStream out;
    private final boolean colours;
    private final long start = System.nanoTime();

    Demo(PrintStream out, boolean colours) {
        this.out = out;
        this.colours = colours;
    }

    /**
     * Shows it.
     *
     * @param args ignored
     * @throws InterruptedException if interrupted
     */
    public static void main(String[] args) throws InterruptedException {
        boolean asPromised = new Demo(System.out, Boolean.getBoolean("syncguard.colours")).run();
        System.exit(asPromised ? 0 : 1);
    }

    /** Returns whether everything went as promised: one deposit accepted, the stale one refused. */
    boolean run() throws InterruptedException {
        out.println();
        say("", "", "Two workers share an account. The lock lasts 800 ms unless it is extended.");
        Thread alice = new Thread(this::alice, "alice");
        Thread bob = new Thread(this::bob, "bob");
        alice.start();
        bob.start();
        alice.join();
        bob.join();
        guard.close();
        boolean asPromised = account.balance() == 100;
        say("", asPromised ? "32" : "31", "The account holds " + account.balance() + ": one deposit, not two.");
        out.println();
        return asPromised;
    }

    private void alice() {
        LockOptions options = OPTIONS.onLost(loss -> say("alice", "33", "is told: her lease is lost"));
        try (Lease lease = guard.acquire(KEY, options)) {
            say("alice", "36", "has the lock, fence " + lease.fence());
            say("alice", "33", "freezes, as in a long garbage collection ...");
            aliceHolds.countDown();
            await(bobIsDone);
            say("alice", "36", "wakes up and writes with fence " + lease.fence());
            boolean accepted = account.deposit(100, lease.fence());
            say(
                    "account",
                    accepted ? "31" : "32",
                    accepted ? "takes the stale write!" : "REFUSES: a newer fence was here");
        }
    }

    private void bob() {
        await(aliceHolds);
        say("bob", "36", "waits for the same key");
        try (Lease lease = guard.acquire(KEY, OPTIONS)) {
            say("bob", "36", "has the lock after alice's time was up, fence " + lease.fence());
            if (account.deposit(100, lease.fence())) {
                say("account", "32", "accepts 100 from bob");
            }
        }
        bobIsDone.countDown();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void say(String who, String colour, String text) {
        String time = String.format("%5.2f s", (System.nanoTime() - start) / 1e9);
        String painted = colours && !colour.isEmpty() ? "\u001b[" + colour + "m" + text + "\u001b[0m" : text;
        out.printf("  %s  %-8s %s%n", time, who, painted);
    }
}
