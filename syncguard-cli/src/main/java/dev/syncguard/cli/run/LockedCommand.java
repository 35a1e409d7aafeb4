package dev.syncguard.cli.run;

import dev.syncguard.Lease;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

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
     */
    static LockedCommand start(List<String> words, String key, Lease lease, LongSupplier leftMillis, Watchdog watchdog)
            throws IOException {
        boolean isGroup = Executable.check("setsid") == 0;
        List<String> all = new ArrayList<>();
        if (watchdog.await()) {
            all.addAll(List.of("setpriv", "--pdeathsig", "TERM", "--"));
        }
        if (isGroup) {
            all.addAll(List.of("setsid", "--"));
        }
        all.addAll(words);
        ProcessBuilder builder = new ProcessBuilder(all).inheritIO();
        CommandEnvironment.prepare(builder.environment(), key, lease);
        watchdog.announce(CommandEnvironment.LOCK_ID + "=" + lease.lockId().value());
        Process process = builder.start();
        watchdog.watch(process, leftMillis.getAsLong());
        return new LockedCommand(watchdog, process, leftMillis, isGroup);
    }

    Process process() {
        return process;
    }

    /** Tells the watchdog that this process is there, and how long the lease lasts. */
    void keep() {
        watchdog.keep(process, leftMillis.getAsLong());
    }

    /** Sends a signal to all of it. */
    void send(String signal) {
        boolean sent = watchdog.tell(signal, leftMillis.getAsLong());
        if (!isGroup || !sent) {
            boolean hard = signal.equals("KILL");
            process.descendants().forEach(child -> end(child, hard));
            end(process.toHandle(), hard);
        }
    }

    /** Ends all of it now. The process itself is ended from here as well, whatever became of the watchdog. */
    void kill() {
        List<ProcessHandle> descendants = process.descendants().toList();
        send("KILL");
        descendants.forEach(child -> end(child, true));
        process.destroyForcibly();
    }

    private static void end(ProcessHandle handle, boolean hard) {
        boolean unused = hard ? handle.destroyForcibly() : handle.destroy();
    }
}
