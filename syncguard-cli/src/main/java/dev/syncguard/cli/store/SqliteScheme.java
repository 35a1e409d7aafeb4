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
            SqliteLockBackendBuilder builder =
                    SqliteLockBackend.builder(path.isEmpty() ? SqliteLockBackend.defaultFile() : Path.of(path));
            address.settings().fenceMode(builder::fenceMode);
            address.settings().commandTimeout(builder::commandTimeout);
            return builder.build();
        } catch (InvalidPathException e) {
            throw new LockException(Code.INVALID_ARGUMENT, "this is no path of a file");
        }
    }
}
