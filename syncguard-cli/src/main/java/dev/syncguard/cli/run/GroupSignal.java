package dev.syncguard.cli.run;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Sends a signal to a process group, which the JDK cannot, by a shell that lives for this only. */
final class GroupSignal {

    private static final long LIMIT_SECONDS = 3;

    private GroupSignal() {}

    /**
     * Sends a signal to the command's group; KILL goes to its session and its descendants as well.
     *
     * @return false if that may not have happened
     */
    static boolean send(String signal, Process command) {
        String pid = Long.toString(command.pid());
        ProcessBuilder builder = new ProcessBuilder("bash", "-c", ShellText.ONCE, "lock-signal", signal, pid)
                .redirectInput(Redirect.from(new File("/dev/null")))
                .redirectOutput(Redirect.DISCARD)
                .redirectError(Redirect.DISCARD);
        builder.environment().keySet().retainAll(Set.of("PATH"));
        try {
            Process shell = builder.start();
            return shell.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS) && shell.exitValue() == 0;
        } catch (IOException e) {
            return false; // no more processes, for instance
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
