package dev.syncguard.firestore;

import com.google.cloud.Timestamp;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** This machine's clock, which decides when locks end, and the policy that keeps it close to the store's (A11). */
final class FirestoreClock {

    /** Two clients that are off by less than this, each in its direction, stay within the tolerance of 1000 ms. */
    static final Duration WIDEST_LIMIT = Duration.ofMillis(500);

    static final long WARN_MS = 200;

    private static final System.Logger LOGGER = System.getLogger("dev.syncguard");
    private static final long WARN_EVERY_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final InstantSource source;
    private final long limitMs;
    private final AtomicLong warnAgain = new AtomicLong(System.nanoTime());

    FirestoreClock(InstantSource source, Duration limit) {
        this.source = source;
        this.limitMs = limit.toMillis();
    }

    long millis() {
        return source.millis();
    }

    long limitMs() {
        return limitMs;
    }

    /** The moment of an answer that has just come. */
    Moment since(long sentMs, Timestamp readTime) {
        long storeMs = readTime.getSeconds() * 1000 + readTime.getNanos() / 1_000_000;
        return new Moment(sentMs, millis(), storeMs);
    }

    boolean isOff(Moment moment) {
        return Math.abs(moment.aheadMs()) >= limitMs;
    }

    /** Refuses to go on with a clock that would break exclusion; nothing has been written yet. */
    Moment checked(Moment moment) {
        if (isOff(moment)) {
            throw new LockException(Code.SERVICE_UNAVAILABLE, describe(moment) + "; synchronise it (NTP)");
        }
        if (Math.abs(moment.aheadMs()) >= WARN_MS) {
            warn(moment);
        }
        return moment;
    }

    String describe(Moment moment) {
        long ahead = moment.aheadMs();
        return "the clock of this machine is " + Math.abs(ahead) + " ms or more " + (ahead < 0 ? "behind" : "ahead of")
                + " Firestore's, locks need it within " + limitMs + " ms";
    }

    private void warn(Moment moment) {
        long now = System.nanoTime();
        long due = warnAgain.get();
        if (now - due >= 0 && warnAgain.compareAndSet(due, now + WARN_EVERY_NANOS)) {
            LOGGER.log(Level.WARNING, "{0}; beyond that they are refused", describe(moment));
        }
    }
}
