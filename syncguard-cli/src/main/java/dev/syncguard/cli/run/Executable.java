package dev.syncguard.cli.run;

import dev.syncguard.cli.text.ExitCode;
import java.io.File;

/** Looks for a command as a shell does, before a lock is taken for it. */
public final class Executable {

    private Executable() {}

    /**
     * Looks for a command.
     *
     * @param name a path, or a name in one of the directories of {@code PATH}
     * @return 0 if it can be executed, else 127 if it does not exist or 126
     */
    public static int check(String name) {
        if (name.indexOf('/') >= 0) {
            return check(new File(name));
        }
        int worst = ExitCode.NOT_FOUND;
        String path = System.getenv("PATH");
        for (String directory : (path == null ? "/usr/bin:/bin" : path).split(":", -1)) {
            int found = check(new File(directory.isEmpty() ? "." : directory, name));
            if (found == 0) {
                return 0;
            }
            worst = Math.min(worst, found);
        }
        return worst;
    }

    private static int check(File file) {
        if (!file.exists()) {
            return ExitCode.NOT_FOUND;
        }
        return file.isFile() && file.canExecute() ? 0 : ExitCode.NOT_EXECUTABLE;
    }
}
