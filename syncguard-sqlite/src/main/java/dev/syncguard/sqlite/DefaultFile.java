package dev.syncguard.sqlite;

import java.nio.file.Path;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Where each system wants programs to keep what they must remember but users need not see. */
final class DefaultFile {

    private DefaultFile() {}

    static Path of(String system, String home, Function<String, @Nullable String> environment) {
        return folder(system, Path.of(home), environment).resolve("syncguard").resolve("locks.db");
    }

    private static Path folder(String system, Path home, Function<String, @Nullable String> environment) {
        if (system.startsWith("Windows")) {
            return absolute(
                    environment.apply("LOCALAPPDATA"), home.resolve("AppData").resolve("Local"));
        }
        if (system.startsWith("Mac")) {
            return home.resolve("Library").resolve("Application Support");
        }
        return absolute(
                environment.apply("XDG_STATE_HOME"), home.resolve(".local").resolve("state"));
    }

    /** The XDG specification says that a relative path is to be ignored. */
    private static Path absolute(@Nullable String folder, Path otherwise) {
        return folder != null && Path.of(folder).isAbsolute() ? Path.of(folder) : otherwise;
    }
}
