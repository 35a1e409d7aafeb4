package dev.syncguard.sqlite;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Where each system wants programs to keep what they must remember but users need not see.
 *
 * <p>Only absolute paths count, in every variable: a relative one would name another file in each working directory, and
 * two programs that must exclude each other would each have a lock of its own.
 */
final class DefaultFile {

    private final Function<String, @Nullable String> environment;
    private final @Nullable String userHome;

    private DefaultFile(@Nullable String userHome, Function<String, @Nullable String> environment) {
        this.userHome = userHome;
        this.environment = environment;
    }

    /**
     * Returns the file.
     *
     * @param userHome the JVM's {@code user.home}: {@code ?} for a user that the user database does not know
     */
    static Path of(String system, @Nullable String userHome, Function<String, @Nullable String> environment) {
        return new DefaultFile(userHome, environment)
                .folder(system)
                .map(folder -> folder.resolve("syncguard").resolve("locks.db"))
                .orElseThrow(() -> new LockException(
                        Code.INVALID_ARGUMENT,
                        "there is no default lock file because this user has no home directory; name a file, or set "
                                + (system.startsWith("Windows")
                                        ? "LOCALAPPDATA"
                                        : system.startsWith("Mac") ? "HOME" : "XDG_STATE_HOME or HOME")
                                + " to an absolute path"));
    }

    private Optional<Path> folder(String system) {
        if (system.startsWith("Windows")) {
            return variable("LOCALAPPDATA")
                    .or(() -> absolute(userHome)
                            .map(home -> home.resolve("AppData").resolve("Local")));
        }
        if (system.startsWith("Mac")) {
            return home().map(home -> home.resolve("Library").resolve("Application Support"));
        }
        return variable("XDG_STATE_HOME")
                .or(() -> home().map(home -> home.resolve(".local").resolve("state")));
    }

    /** The variable first: in a container the user database often knows no home, or a wrong one. */
    private Optional<Path> home() {
        return variable("HOME").or(() -> absolute(userHome));
    }

    private Optional<Path> variable(String name) {
        return absolute(environment.apply(name));
    }

    private static Optional<Path> absolute(@Nullable String folder) {
        try {
            return Stream.ofNullable(folder)
                    .map(Path::of)
                    .filter(Path::isAbsolute)
                    .findFirst();
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
    }
}
