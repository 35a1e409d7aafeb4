package dev.syncguard.cli.store;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.spi.LockBackend;
import dev.syncguard.sqlite.SqliteLockBackend;
import dev.syncguard.sqlite.SqliteLockBackendBuilder;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** {@code sqlite:PATH}; without a path the file in the user's state directory. */
final class SqliteScheme {

    /** What the JVM puts in place of bytes that are no text: the file would be in another folder. */
    private static final char REPLACEMENT = '\uFFFD';

    private SqliteScheme() {}

    static LockBackend open(StoreAddress address) {
        DriverLogs.silence(); // a temporary folder that cannot be listed is worth a stack trace to it
        String path = address.rest();
        if (path.equals("~") || path.startsWith("~/")) {
            throw new LockException(
                    Code.INVALID_ARGUMENT,
                    "no shell has expanded the ~ of the path, so it would be a folder of that name in each working"
                            + " directory; write sqlite:$HOME/… or an absolute path");
        }
        try {
            Path file = path.isEmpty() ? SqliteLockBackend.defaultFile() : Path.of(path);
            if (file.toAbsolutePath().toString().indexOf(REPLACEMENT) >= 0) {
                throw new LockException(
                        Code.INVALID_ARGUMENT,
                        "the path of the lock file, or the working directory, is not text in UTF-8; name another file");
            }
            SqliteLockBackendBuilder builder = SqliteLockBackend.builder(file);
            address.settings().fenceMode(builder::fenceMode);
            address.settings().commandTimeout(builder::commandTimeout);
            return builder.build();
        } catch (InvalidPathException e) {
            throw new LockException(Code.INVALID_ARGUMENT, "this is no path of a file");
        }
    }
}
