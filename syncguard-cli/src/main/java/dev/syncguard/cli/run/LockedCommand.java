package dev.syncguard.cli.run;

import dev.syncguard.Lease;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The command that needs the lock, in a process group of its own where {@code setsid} exists. */
final class LockedCommand {

    private final Warden warden;
    private final Process process;
    private final boolean isGroup;

    private LockedCommand(Warden warden, Process process, boolean isGroup) {
        this.warden = warden;
        this.process = process;
        this.isGroup = isGroup;
    }

    /** Starts it with the key, the fence and the lock id in its environment. */
    static LockedCommand start(List<String> words, String key, Lease lease, Warden warden) throws IOException {
        boolean isGroup = Executable.check("setsid") == 0;
        List<String> all = new ArrayList<>();
        if (isGroup) {
            all.add("setsid");
            all.add("--");
        }
        all.addAll(words);
        ProcessBuilder builder = new ProcessBuilder(all).inheritIO();
        Map<String, String> environment = builder.environment();
        environment.put("SYNCGUARD_KEY", key);
        environment.put("SYNCGUARD_FENCE", lease.fence().toString());
        environment.put("SYNCGUARD_LOCK_ID", lease.lockId().value());
        restoreLocale(environment);
        warden.await();
        Process process = builder.start();
        warden.watch(process);
        return new LockedCommand(warden, process, isGroup);
    }

    /** The launcher changes it for this process where it is not UTF-8, so that keys arrive whole. */
    private static void restoreLocale(Map<String, String> environment) {
        String locale = System.getProperty("syncguard.locale");
        if (locale != null && locale.isEmpty()) {
            environment.remove("LC_ALL");
        } else if (locale != null) {
            environment.put("LC_ALL", locale);
        }
    }

    Process process() {
        return process;
    }

    /** Sends a signal to all of it. */
    void send(String signal) {
        boolean sent = warden.send(signal);
        if (!isGroup || !sent) {
            boolean hard = signal.equals("KILL");
            process.descendants().forEach(child -> end(child, hard));
            end(process.toHandle(), hard);
        }
    }

    /** Ends all of it now. The process itself is ended from here as well, whatever became of the warden. */
    void kill() {
        send("KILL");
        process.descendants().forEach(child -> end(child, true));
        process.destroyForcibly();
    }

    private static void end(ProcessHandle handle, boolean hard) {
        boolean unused = hard ? handle.destroyForcibly() : handle.destroy();
    }
}
