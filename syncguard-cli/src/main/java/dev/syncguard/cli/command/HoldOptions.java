package dev.syncguard.cli.command;

import dev.syncguard.Lease;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockOptions;
import dev.syncguard.cli.text.Durations;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How long {@code run} keeps its lock although the command has ended: for cron on many machines. */
public final class HoldOptions {

    private static final Duration SHORTEST_PERIOD = Duration.ofSeconds(1);

    @Option(
            names = "--hold-at-least",
            paramLabel = "TIME",
            converter = Durations.class,
            description = "Keep the lock for that long after it was granted, also if the command ends sooner or this"
                    + " process dies")
    private @Nullable Duration holdAtLeast;

    @Option(
            names = "--once-per",
            paramLabel = "PERIOD",
            converter = Durations.class,
            description =
                    "For cron on many machines: do not wait, keep the lock for nine tenths of the period, and exit 0,"
                            + " silently, if another machine has run the command in it")
    private @Nullable Duration oncePer;

    @Option(
            names = "--retry-on-failure",
            description = "Release at once if the command fails, so that another machine, or the next try, may run it")
    private boolean retryOnFailure;

    /** Made by picocli. */
    public HoldOptions() {}

    boolean isOnce() {
        return oncePer != null;
    }

    LockOptions applyTo(LockOptions options) {
        if (holdAtLeast != null && oncePer != null) {
            throw new LockException(Code.INVALID_ARGUMENT, "give --once-per or --hold-at-least, not both");
        }
        if (holdAtLeast == null && oncePer == null && retryOnFailure) {
            throw new LockException(Code.INVALID_ARGUMENT, "--retry-on-failure needs --once-per or --hold-at-least");
        }
        if (oncePer == null) {
            return holdAtLeast == null ? options : options.holdAtLeast(holdAtLeast);
        }
        if (oncePer.compareTo(SHORTEST_PERIOD) < 0) {
            throw new LockException(Code.INVALID_ARGUMENT, "the period of --once-per is at least 1s");
        }
        return options.holdAtLeast(withoutJitter(oncePer));
    }

    /**
     * Less than the period: machines start a job a little earlier or later each time, and a lock that still stood at the next
     * tick would cost that run.
     */
    private static Duration withoutJitter(Duration period) {
        return Duration.ofMillis(period.toMillis() / 10 * 9);
    }

    /** The command has ended; its lease is released next. */
    void ended(Lease lease, int code) {
        if (code != 0 && retryOnFailure) {
            lease.waiveHoldAtLeast();
        }
    }
}
