package dev.syncguard.cli.run;

import dev.syncguard.Lease;
import dev.syncguard.LeaseLostException;
import dev.syncguard.LeaseLostException.Reason;
import dev.syncguard.cli.text.Durations;
import dev.syncguard.cli.text.Printable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Says which lock was lost, by the key that the operator gave, and why. */
public final class LossText {

    private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(500);

    private final String key;
    private long longestPause;

    /**
     * Creates the text.
     *
     * @param key the key in its normal form
     */
    public LossText(String key) {
        this.key = key;
    }

    String lock() {
        return "the lock \"" + Printable.of(key) + "\"";
    }

    /** Remembers how much later than planned the supervisor woke up. */
    void overslept(long nanos) {
        longestPause = Math.max(longestPause, nanos);
    }

    String cause(Lease lease) {
        try {
            lease.ensureValid();
        } catch (LeaseLostException e) {
            return cause(e);
        }
        return "it was not extended in time";
    }

    private String cause(LeaseLostException loss) {
        if (loss.reason() == Reason.GONE) {
            return "the store no longer has it: it was released by its lock id, or the store lost data";
        }
        if (longestPause > PAUSE) {
            return "syncguard was paused for " + Durations.text(TimeUnit.NANOSECONDS.toMillis(longestPause));
        }
        String detail = loss.detail().orElse("it was not extended in time");
        String failure = firstLine(loss.getCause());
        return failure == null ? detail : detail + "; " + failure;
    }

    private static @Nullable String firstLine(@Nullable Throwable failure) {
        String message = failure == null ? null : failure.getMessage();
        return message == null ? null : message.lines().findFirst().orElse(null);
    }
}
