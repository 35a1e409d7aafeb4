package dev.syncguard.internal;

import dev.syncguard.spi.Timekeeper;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Ends a guard without losing what is under way (decision E3): no new operations, waiters fail, requests under way are
 * awaited and their grants released, releases and compensations finish, all within two command timeouts. After half of that
 * it takes back the leases that the application's executor has not delivered: it may have dropped them.
 *
 * <p>A body or continuation that ends its own guard would be waited for by itself: another thread goes on with it.
 */
public final class Shutdown {

    private static final long MILLI = 1_000_000;
    private static final int MOST_NAMED = 10;

    private final Store store;
    private final AsyncStore async;
    private final InFlight inFlight;
    private final WaitingRoom room;
    private final Leases leases;
    private final Compensations compensations;
    private final Reports reports;
    private final Timekeeper time;
    private final GuardThreads threads;
    private volatile boolean releasedAll;
    private final AtomicBoolean begun = new AtomicBoolean();
    private final CompletableFuture<Boolean> done = new CompletableFuture<>();

    Shutdown(
            Store store,
            AsyncStore async,
            InFlight inFlight,
            WaitingRoom room,
            Leases leases,
            Compensations compensations,
            Reports reports,
            Timekeeper time,
            GuardThreads threads) {
        this.store = store;
        this.async = async;
        this.inFlight = inFlight;
        this.room = room;
        this.leases = leases;
        this.compensations = compensations;
        this.reports = reports;
        this.time = time;
        this.threads = threads;
    }

    /**
     * Takes no new locks, waits for the leases that are held, then closes. Held leases are renewed meanwhile.
     *
     * @return whether no lease was held any more and every release was confirmed in time
     */
    public boolean afterBodies(Duration limit) {
        refuse();
        if (inFlight.isInside()) {
            elsewhere(() -> afterBodies(limit));
            return false;
        }
        long limitNanos = TimeUnit.NANOSECONDS.convert(limit); // the longest there is, if that is too long
        long start = System.nanoTime();
        boolean interrupted = false;
        while (!leases.held().isEmpty() && System.nanoTime() - start < limitNanos && !interrupted) {
            LockSupport.parkNanos(this, MILLI);
            interrupted = Thread.currentThread().isInterrupted();
        }
        boolean all = leases.held().isEmpty();
        close();
        return all && releasedAll;
    }

    private void refuse() {
        inFlight.close();
        room.tellAll(Waiter.CLOSED);
    }

    /** Hands over to a thread that is none of the guard's, and keeps the process alive until it is done. */
    private void elsewhere(Runnable end) {
        try {
            Thread thread = new CleanThreads("syncguard-close").newThread(end);
            thread.setDaemon(false);
            thread.start();
        } catch (Throwable e) {
            reports.warn("closing from inside cannot start a thread, and goes on when the guard is closed again: "
                    + e.getClass().getName());
        }
    }

    /** Closes; a second caller waits for the first one, unless the first one may wait for it. Never throws. */
    public void close() {
        if (inFlight.isInside()) {
            refuse();
            elsewhere(this::close);
            return;
        }
        long limit = 2 * store.commandTimeoutNanos();
        if (!begun.compareAndSet(false, true)) {
            Waits.untilDone(done, 2 * limit);
            return;
        }
        try {
            drain(limit);
        } catch (Throwable e) {
            reports.warn("closing was not complete: " + e.getClass().getName());
        } finally {
            end();
            done.complete(true);
        }
    }

    private void drain(long limit) {
        long start = System.nanoTime();
        refuse();
        compensations.hurry();
        if (!inFlight.awaitIdle(limit / 2)) {
            inFlight.withdraw();
        }
        if (!inFlight.awaitIdle(limit - (System.nanoTime() - start))) {
            reports.warn("closed while requests were under way; what they are granted expires at its ttl; keys "
                    + keysUnderWay());
        }
        releasedAll = compensations.close(Math.max(0, limit - (System.nanoTime() - start)));
        name(leases.held());
    }

    /** The keys by their hashes, as far as they are known: not those of single attempts that block their caller. */
    private String keysUnderWay() {
        Set<String> hashes = new TreeSet<>();
        Stream.concat(async.keysUnderWay(), room.keys()).forEach(key -> hashes.add(key.hash()));
        String named = hashes.stream().limit(MOST_NAMED).collect(Collectors.joining(", "));
        return hashes.isEmpty() ? "unknown" : hashes.size() > MOST_NAMED ? named + ", ..." : named;
    }

    private void name(List<LeaseState> held) {
        held.stream()
                .limit(MOST_NAMED)
                .forEach(lease -> reports.warn(
                        "closed while a lease of key " + lease.key().hash() + " was held; it expires within "
                                + lease.remainingNanos() / MILLI + " ms"));
        if (held.size() > MOST_NAMED) {
            reports.warn("closed while " + (held.size() - MOST_NAMED) + " more leases were held");
        }
    }

    private void end() {
        inFlight.closeForGood();
        quietly(async::giveUp);
        quietly(time::close);
        quietly(threads::close);
        quietly(store.backend()::close);
    }

    private void quietly(Runnable part) {
        try {
            part.run();
        } catch (Throwable e) {
            reports.warn("a part could not be closed: " + e.getClass().getName());
        }
    }
}
