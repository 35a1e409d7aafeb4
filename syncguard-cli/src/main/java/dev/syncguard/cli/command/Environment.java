package dev.syncguard.cli.command;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import org.jspecify.annotations.Nullable;

/** Variables that say where the locks are. */
final class Environment {

    private static final char REPLACEMENT = '\uFFFD';

    private Environment() {}

    /** Returns a variable, null if it is not set. The JVM has replaced what is not text in UTF-8: that would be another store. */
    static @Nullable String get(String name) {
        String value = System.getenv(name);
        if (value != null && value.indexOf(REPLACEMENT) >= 0) {
            throw new LockException(Code.INVALID_ARGUMENT, "the variable " + name + " is not text in UTF-8");
        }
        return value;
    }
}
