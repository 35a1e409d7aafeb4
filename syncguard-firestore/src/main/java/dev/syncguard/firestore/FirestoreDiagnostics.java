package dev.syncguard.firestore;

import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.QuerySnapshot;
import dev.syncguard.AbortSignal;
import dev.syncguard.Finding;
import dev.syncguard.Finding.Level;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.spi.LockIds;
import dev.syncguard.spi.StoreDiagnostics;
import java.util.ArrayList;
import java.util.List;

/** Looks at what a Firestore client can see: the clock, the rights to read, an emulator, the number of counters. */
record FirestoreDiagnostics(FirestoreCollections collections, FirestoreCalls calls) implements StoreDiagnostics {

    /** Counting costs one read for each thousand: a hundred at most. */
    private static final int MOST_COUNTED = 100_000;

    @Override
    public List<Finding> inspect(AbortSignal signal) {
        signal.throwIfAborted();
        try {
            return strictly(signal);
        } catch (LockException e) {
            // A store that does not answer is a fault; unknown is what a sound store does not show.
            return List.of(
                    emulator(calls.firestore()),
                    new Finding("firestore.reachable", Level.WARN, String.valueOf(e.getMessage()), "see the message"));
        }
    }

    /** Looks at everything, and throws if Firestore does not answer. */
    List<Finding> strictly(AbortSignal signal) {
        List<Finding> findings = new ArrayList<>(atStart());
        if (findings.stream().noneMatch(finding -> finding.level() == Level.DANGER)) {
            findings.add(counters(signal));
        }
        return findings;
    }

    /**
     * Looks at what a first acquire does not show: only a release asks by lock id. Counts nothing, and throws if Firestore
     * does not answer.
     */
    List<Finding> atStart() {
        Finding emulator = emulator(calls.firestore());
        long sentMs = calls.clock().millis();
        try {
            QuerySnapshot none = FirestoreCalls.await(
                    calls.request(collections.withLockId(LockIds.random())::get, AbortSignal.none()));
            return List.of(
                    emulator,
                    new Finding("firestore.reachable", Level.OK, "locks can be read and found by lock id", ""),
                    clock(calls.clock().since(sentMs, none.getReadTime())));
        } catch (LockException e) {
            Finding failed = failed("firestore.reachable", e);
            if (failed.level() == Level.UNKNOWN) {
                throw e;
            }
            return List.of(emulator, failed);
        }
    }

    private static Finding emulator(Firestore firestore) {
        String host = firestore.getOptions().getEmulatorHost();
        return host == null
                ? new Finding("firestore.emulator", Level.OK, "the client talks to the service", "")
                : new Finding(
                        "firestore.emulator",
                        Level.WARN,
                        "the client talks to an emulator: locks and fences end with it",
                        "unset FIRESTORE_EMULATOR_HOST");
    }

    private Finding clock(Moment moment) {
        String id = "firestore.clock";
        String fix = "synchronise the clock (NTP); the target is 100 ms";
        if (calls.clock().isOff(moment)) {
            return new Finding(id, Level.DANGER, calls.clock().describe(moment) + "; locks are refused", fix);
        }
        if (Math.abs(moment.aheadMs()) >= FirestoreClock.WARN_MS) {
            return new Finding(id, Level.WARN, calls.clock().describe(moment), fix);
        }
        return new Finding(id, Level.OK, "the clock is within " + FirestoreClock.WARN_MS + " ms of Firestore's", "");
    }

    private Finding counters(AbortSignal signal) {
        String id = "firestore.counters";
        try {
            long count = FirestoreCalls.await(calls.request(
                            collections.counters().limit(MOST_COUNTED).count()::get, signal))
                    .getCount();
            String number = count < MOST_COUNTED ? Long.toString(count) : MOST_COUNTED + " or more";
            return new Finding(id, Level.OK, number + " fence counters; they are never deleted", "");
        } catch (LockException e) {
            return failed(id, e);
        }
    }

    private static Finding failed(String id, LockException e) {
        Level level = e.code() == Code.AUTH_FAILED || e.code() == Code.INVALID_ARGUMENT ? Level.DANGER : Level.UNKNOWN;
        return new Finding(id, level, String.valueOf(e.getMessage()), "see the message");
    }
}
