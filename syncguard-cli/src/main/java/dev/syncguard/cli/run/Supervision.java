package dev.syncguard.cli.run;

import dev.syncguard.Lease;
import dev.syncguard.cli.text.Output;
import dev.syncguard.cli.text.Style;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Watches over a command while it runs: forwards signals, and ends it in time when the lease cannot be kept.
 *
 * <p>All decisions fall in one thread, on {@link Lease#remaining()}, which counts on the monotonic clock from before the
 * last request was sent. That clock goes on while this process is stopped (SIGSTOP): the first thing it does when it
 * wakes up past the deadline is to kill the command. A lease that the store has taken away counts as past its deadline.
 */
public final class Supervision {

    /** What happens to the command when the lease is lost. */
    public enum OnLost {
        /** It is ended. */
        KILL,
        /** It goes on, and a line says that it has no lock any more. */
        WARN
    }

    private static final long HOUR = TimeUnit.HOURS.toNanos(1);
    private static final long AGAIN = TimeUnit.SECONDS.toNanos(1);

    private final Lease lease;
    private final Signals signals;
    private final Output output;
    private final OnLost onLost;
    private final long graceNanos;
    private boolean terminated;
    private boolean told;

    /**
     * Prepares to watch.
     *
     * @param lease the lease; its loss is added to the events of the signals
     * @param signals what arrives
     * @param output gets a line when the lease is in danger
     * @param onLost what to do then
     * @param grace how long before the deadline the command is asked to end
     */
    public Supervision(Lease lease, Signals signals, Output output, OnLost onLost, java.time.Duration grace) {
        this.lease = lease;
        this.signals = signals;
        this.output = output;
        this.onLost = onLost;
        this.graceNanos = grace.toNanos();
    }

    int watch(LockedCommand command) throws InterruptedException {
        Process process = command.process();
        var unused = process.onExit().thenRun(() -> signals.events().add(Signals.CHANGED));
        while (process.isAlive()) {
            String event = signals.events().poll(judge(command), TimeUnit.NANOSECONDS);
            forward(event, command);
        }
        return process.exitValue();
    }

    /** Does what is due now, and returns how long nothing will be. */
    private long judge(LockedCommand command) {
        long left = lease.remaining().toNanos();
        if (onLost == OnLost.WARN) {
            return left > 0 ? left : warn();
        }
        if (left <= 0) {
            tell("the lease is lost: the command is killed");
            command.kill();
            return AGAIN;
        }
        if (left > graceNanos) {
            return left - graceNanos;
        }
        if (!terminated) {
            terminated = true;
            output.note(Style.BAD, "the lease could not be extended: the command is asked to end before it is lost");
            command.send("TERM");
        }
        return left;
    }

    private long warn() {
        tell("the lease is lost: the command goes on without its lock");
        return HOUR;
    }

    private void tell(String text) {
        if (!told) {
            told = true;
            output.note(Style.BAD, text);
        }
    }

    private static void forward(@Nullable String event, LockedCommand command) {
        if (event != null && !event.equals(Signals.CHANGED)) {
            command.send(event);
        }
    }
}
