package dev.syncguard.cli.run;

import dev.syncguard.cli.text.ExitCode;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;

/** Looks for a command as a shell does, before a lock is taken for it. */
public final class Executable {

    /** What 126 means. */
    public static final String REFUSED =
            "the command is not executable: look at its mode, and at the interpreter that its first line names";

    /** The kernel reads no more of a first line. */
    private static final int LONGEST_LINE = 256;

    private Executable() {}

    /**
     * Looks for a command.
     *
     * @param name a path, or a name in one of the directories of {@code PATH}
     * @return 0 if it can be executed, else 127 if it does not exist or 126
     */
    public static int check(String name) {
        if (name.isEmpty()) {
            return ExitCode.NOT_FOUND;
        }
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
        return file.isFile() && file.canExecute() && hasInterpreter(file) ? 0 : ExitCode.NOT_EXECUTABLE;
    }

    /** A script whose interpreter is missing (often one with line ends of Windows) would fail with the lock taken. */
    private static boolean hasInterpreter(File file) {
        String line = start(file);
        if (!line.startsWith("#!")) {
            return true;
        }
        String interpreter = line.substring(2).replaceFirst("^[ \\t]+", "").split("[ \\t\\n\\x00]", 2)[0];
        return interpreter.isEmpty() || new File(interpreter).canExecute();
    }

    private static String start(File file) {
        try (InputStream content = Files.newInputStream(file.toPath())) {
            return new String(content.readNBytes(LONGEST_LINE), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return ""; // a program may be executable without being readable
        }
    }
}
