package dev.syncguard.cli.run;

import dev.syncguard.Lease;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The command that needs the lock, in a session and process group of its own where {@code setsid} exists. */
final class LockedCommand {

    private final Watchdog watchdog;
    private final Process process;
    private final LongSupplier leftMillis;
    private final boolean isGroup;

    private LockedCommand(Watchdog watchdog, Process process, LongSupplier leftMillis, boolean isGroup) {
        this.watchdog = watchdog;
        this.process = process;
        this.leftMillis = leftMillis;
        this.isGroup = isGroup;
    }

    /**
     * Starts it with the key, the fence and the lock id in its environment.
     *
     * <p>Where the system can, it sends TERM to the command when the thread that calls this dies with its process: that
     * covers a watchdog that is killed together with this process.
     *
     * @return the command; null if it was not started, because the lease was lost meanwhile
     * @throws NoWatchdogException if there is nothing that would end it
     */
    static @Nullable LockedCommand start(
            List<String> words, String key, Lease lease, LongSupplier leftMillis, Watchdog watchdog)
            throws IOException, InterruptedException {
        boolean hasDeathSignal = watchdog.await().orElseThrow(NoWatchdogException::new);
        boolean isGroup = Executable.check("setsid") == 0;
        ProcessBuilder builder = new ProcessBuilder(words(words, hasDeathSignal, isGroup)).inheritIO();
        CommandEnvironment.prepare(builder.environment(), key, lease);
        watchdog.announce(CommandEnvironment.LOCK_ID + "=" + lease.lockId().value());
        if (!lease.isValid()) {
            return null;
        }
        Process process = builder.start();
        watchdog.watch(process, leftMillis.getAsLong());
        return new LockedCommand(watchdog, process, leftMillis, isGroup);
    }

    private static List<String> words(List<String> command, boolean hasDeathSignal, boolean isGroup) {
        List<String> all =
                new ArrayList<>(hasDeathSignal ? List.of("setpriv", "--pdeathsig", "TERM", "--") : List.of());
        all.addAll(isGroup ? List.of("setsid", "--") : List.of());
        all.addAll(command);
        return all;
    }

    Process process() {
        return process;
    }

    /** Tells the watchdog that this process is there, and how long the lease lasts. */
    void keep() {
        watchdog.keep(process, leftMillis.getAsLong());
    }

    /** Sends a signal to all of it. Not through the watchdog, which may be stopped, unless there is no other way. */
    void send(String signal) {
        boolean sent = isGroup && (GroupSignal.send(signal, process) || watchdog.tell(signal, leftMillis.getAsLong()));
        if (!sent) {
            boolean hard = signal.equals("KILL");
            process.descendants().forEach(child -> end(child, hard));
            end(process.toHandle(), hard);
        }
    }

    /**
     * Ends all of it now, also what is left after the process itself ended. The process and what descends from it are
     * ended from here as well, whatever became of the shells.
     */
    void kill() {
        List<ProcessHandle> descendants = process.descendants().toList();
        process.destroyForcibly();
        descendants.forEach(child -> end(child, true));
        send("KILL");
    }

    private static void end(ProcessHandle handle, boolean hard) {
        boolean unused = hard ? handle.destroyForcibly() : handle.destroy();
    }
}
