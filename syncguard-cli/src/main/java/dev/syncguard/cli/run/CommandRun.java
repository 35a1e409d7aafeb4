package dev.syncguard.cli.run;

import dev.syncguard.Lease;
import dev.syncguard.cli.text.ExitCode;
import dev.syncguard.cli.text.Output;
import dev.syncguard.cli.text.Style;
import java.io.IOException;
import java.util.List;

/** Runs one command under a lease that is held already. */
public final class CommandRun {

    private CommandRun() {}

    /**
     * Runs a command to its end.
     *
     * @param words the command and its arguments
     * @param key the key, for its environment
     * @param lease the lease
     * @param supervision watches over it
     * @param watchdog ends it when this process dies
     * @param output for failures
     * @return its exit code
     */
    public static int of(
            List<String> words, String key, Lease lease, Supervision supervision, Watchdog watchdog, Output output) {
        try {
            LockedCommand command = LockedCommand.start(words, key, lease, supervision::leftMillis, watchdog);
            return command == null ? supervision.notStarted() : watch(command, supervision, watchdog);
        } catch (NoWatchdogException e) {
            lease.waiveHoldAtLeast(); // nothing was run
            output.note(Style.BAD, "the command was not run: the shell that would end it (bash) did not start");
            return ExitCode.FAILED;
        } catch (IOException e) {
            lease.waiveHoldAtLeast();
            output.note(Style.BAD, "the command cannot be executed");
            return ExitCode.NOT_EXECUTABLE;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return ExitCode.SIGNAL;
        }
    }

    /** Whatever goes wrong here, the command does not run on without somebody who watches over it. */
    private static int watch(LockedCommand command, Supervision supervision, Watchdog watchdog)
            throws InterruptedException {
        try {
            return supervision.watch(command);
        } finally {
            if (command.process().isAlive()) {
                command.kill();
            }
            watchdog.close(); // before the release, which may take longer than the lease lasts
        }
    }
}
