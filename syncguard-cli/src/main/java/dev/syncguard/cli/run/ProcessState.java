package dev.syncguard.cli.run;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** What Linux says about a process and the JDK does not. */
final class ProcessState {

    private ProcessState() {}

    /** Returns whether a process was stopped by a signal or a debugger; false where there is no {@code /proc}. */
    static boolean isStopped(Process process) {
        try {
            String stat = Files.readString(Path.of("/proc/" + process.pid() + "/stat"), StandardCharsets.ISO_8859_1);
            char state = stat.charAt(stat.lastIndexOf(") ") + 2); // the name before it may hold anything
            return state == 'T' || state == 't';
        } catch (IOException e) {
            return false;
        }
    }
}
