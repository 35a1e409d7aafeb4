package dev.syncguard.testbed;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How to run a program as a user that PostgreSQL accepts.
 *
 * @param prefix what stands before the command
 * @param owner who must own the server's files, if not the current user
 */
record PostgresUser(List<String> prefix, Optional<String> owner) {

    /** The current user. */
    static final PostgresUser SELF = new PostgresUser(List.of(), Optional.empty());

    /** In a user namespace of its own, root is somebody without a name. */
    static final PostgresUser NAMESPACE = new PostgresUser(List.of("unshare", "-U"), Optional.empty());

    /** Where user namespaces are forbidden. */
    static final PostgresUser NOBODY =
            new PostgresUser(List.of("runuser", "-u", "nobody", "--"), Optional.of("nobody"));

    /** PostgreSQL runs neither as root nor as a user that the system has no name for, which the JVM calls "?". */
    static PostgresUser choose() throws IOException {
        String name = System.getProperty("user.name");
        boolean isRoot = name.equals("root");
        if (!isRoot && !name.equals("?")) {
            return SELF;
        }
        if (NAMESPACE.works()) {
            return NAMESPACE;
        }
        return isRoot ? NOBODY : SELF;
    }

    private boolean works() throws IOException {
        return wait(process(List.of("true"), Path.of("/")).start()) == 0;
    }

    /** A directory that this user can reach; the usual one may lie in a home that others cannot enter. */
    Path directory() throws IOException {
        Path directory = Path.of(owner.isPresent() ? "/tmp" : System.getProperty("java.io.tmpdir"));
        return Files.createDirectories(directory);
    }

    void give(Path directory) throws IOException {
        if (owner.isPresent()) {
            run(new ProcessBuilder("chown", "-R", owner.get(), directory.toString()), directory);
        }
    }

    /** Runs a command to its end; its output is in the exception if it fails. */
    void run(List<String> command, Path directory) throws IOException {
        run(process(command, directory), directory);
    }

    private ProcessBuilder process(List<String> command, Path directory) {
        List<String> full = new ArrayList<>(prefix);
        full.addAll(command);
        return new ProcessBuilder(full).directory(directory.toFile());
    }

    /** The output goes to a file: the server inherits it and would keep a pipe open. */
    private static void run(ProcessBuilder builder, Path directory) throws IOException {
        File output = File.createTempFile("postgres", ".out");
        try {
            Process process = builder.redirectErrorStream(true)
                    .redirectOutput(output)
                    .directory(directory.toFile())
                    .start();
            if (wait(process) != 0) {
                throw new IOException(
                        String.join(" ", builder.command()) + " failed: " + Files.readString(output.toPath()));
            }
        } finally {
            Files.delete(output.toPath());
        }
    }

    private static int wait(Process process) throws IOException {
        try {
            return process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }
}
