package dev.syncguard.sqlite;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import java.util.Arrays;
import java.util.regex.Pattern;
import org.sqlite.SQLiteJDBCLoader;

/** The driver, which must be new enough, and unpacks a native library on first use. */
final class SqliteDriver {

    /** The build runs the tests on this one as well. */
    static final String OLDEST = "3.46.1.3";

    private static final Pattern VERSION = Pattern.compile("\\d+(\\.\\d+)*");

    private static volatile boolean loaded;

    private SqliteDriver() {}

    /** Loads it, before any operation's time begins: on a slow machine that takes longer than an operation may. */
    static void load() {
        if (loaded) {
            return;
        }
        try {
            requireSupported(SQLiteJDBCLoader.getVersion());
            SQLiteJDBCLoader.initialize();
            loaded = true;
        } catch (LockException e) {
            throw e;
        } catch (Exception e) {
            throw new LockException(
                    Code.SERVICE_UNAVAILABLE,
                    "the SQLite library cannot be loaded; look at the temporary folder, or set org.sqlite.lib.path",
                    e);
        }
    }

    /** A repackaged driver may not know its version: then it is taken as it is. */
    static void requireSupported(String version) {
        if (VERSION.matcher(version).matches() && compare(version, OLDEST) < 0) {
            throw new LockException(
                    Code.INVALID_ARGUMENT, "sqlite-jdbc " + version + " is not supported; use " + OLDEST + " or newer");
        }
    }

    /** Compares two versions, number by number. */
    static int compare(String one, String other) {
        return Arrays.compare(numbers(one), numbers(other));
    }

    private static int[] numbers(String version) {
        return Arrays.stream(version.split("\\.", -1))
                .mapToInt(Integer::parseInt)
                .toArray();
    }
}
