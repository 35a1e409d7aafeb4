package dev.syncguard.cli.run;

import dev.syncguard.Lease;
import dev.syncguard.cli.text.Durations;
import dev.syncguard.cli.text.ExitCode;
import dev.syncguard.cli.text.Output;
import dev.syncguard.cli.text.Style;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Watches over a command while it runs: forwards signals, and ends it in time when the lease cannot be kept.
 *
 * <p>All decisions fall in one thread, on {@link Lease#remaining()}, which counts on the monotonic clock from before the
 * last request was sent. That clock goes on while this process is stopped (SIGSTOP): the watchdog then kills the command
 * at the last deadline that it was told. A lease that the store has taken away counts as past its deadline.
 */
public final class Supervision {

    /** What happens to the command when the lease is lost. */
    public enum OnLost {
        /** It is ended. */
        KILL,
        /** It goes on, and a line says that it has no lock any more. */
        WARN
    }

    private static final long NEVER = TimeUnit.DAYS.toMillis(3650);
    private static final long AGAIN = TimeUnit.SECONDS.toNanos(1);

    private final Lease lease;
    private final Signals signals;
    private final Output output;
    private final LossText text;
    private final OnLost onLost;
    private final Duration grace;
    private final Duration beat;
    private boolean terminated;
    private boolean told;

    /**
     * Prepares to watch.
     *
     * @param lease the lease; its loss is added to the events of the signals
     * @param signals what arrives
     * @param output gets a line when the lease is in danger
     * @param text says why
     * @param onLost what to do then
     * @param grace how long before the deadline the command is asked to end
     * @param beat how often the watchdog is told that all is well
     */
    public Supervision(
            Lease lease, Signals signals, Output output, LossText text, OnLost onLost, Duration grace, Duration beat) {
        this.lease = lease;
        this.signals = signals;
        this.output = output;
        this.text = text;
        this.onLost = onLost;
        this.grace = grace;
        this.beat = beat;
    }

    /** Returns how long the watchdog lets the command run if it hears nothing more. */
    long leftMillis() {
        return onLost == OnLost.WARN ? NEVER : lease.remaining().toMillis();
    }

    /** Returns the command's exit code, or {@link ExitCode#LOST} if the lock was lost before it ended. */
    int watch(LockedCommand command) throws InterruptedException {
        Process process = command.process();
        var unused = process.onExit().thenRun(() -> signals.events().add(Signals.CHANGED));
        signals.forwardAll();
        while (process.isAlive()) {
            long due = Math.min(judge(command), beat.toNanos());
            long before = System.nanoTime();
            String event = signals.events().poll(due, TimeUnit.NANOSECONDS);
            text.overslept(System.nanoTime() - before - due);
            forward(event, command);
        }
        if (!isLost()) {
            return process.exitValue();
        }
        command.kill(); // what it started may be there still
        return ExitCode.LOST;
    }

    /** Says that the lock was lost between its grant and the start of the command. */
    int notStarted() {
        tell("was lost before the command was started", text.cause(lease));
        return ExitCode.LOST;
    }

    private boolean isLost() {
        if (onLost == OnLost.WARN) {
            return false;
        }
        if (!lease.isValid()) {
            tell("was lost before the command ended", text.cause(lease));
        }
        return terminated || told;
    }

    /** Does what is due now, and returns how long nothing will be. */
    private long judge(LockedCommand command) {
        long left = lease.remaining().toNanos();
        if (left <= 0 && onLost == OnLost.KILL) {
            tell("is lost: the command is killed", text.cause(lease));
            command.kill();
            return AGAIN;
        }
        if (left <= 0) {
            tell("is lost: the command goes on without its lock", text.cause(lease));
        }
        command.keep();
        if (onLost == OnLost.WARN) {
            return left > 0 ? left : AGAIN;
        }
        return left > grace.toNanos() ? left - grace.toNanos() : askToEnd(command, left);
    }

    private long askToEnd(LockedCommand command, long left) {
        if (!terminated) {
            terminated = true;
            output.note(
                    Style.BAD,
                    text.lock() + " could not be extended and ends in "
                            + Durations.text(TimeUnit.NANOSECONDS.toMillis(left)) + ": the command is asked to end");
            command.send("TERM");
        }
        return left;
    }

    private void tell(String what, String cause) {
        if (!told) {
            told = true;
            output.note(Style.BAD, text.lock() + " " + what + " (" + cause + ")");
        }
    }

    private static void forward(@Nullable String event, LockedCommand command) {
        if (event != null && !event.equals(Signals.CHANGED)) {
            command.send(event);
        }
    }
}
