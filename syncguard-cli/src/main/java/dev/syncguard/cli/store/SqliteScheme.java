package dev.syncguard.cli.store;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.spi.LockBackend;
import dev.syncguard.sqlite.SqliteLockBackend;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** {@code sqlite:PATH}; without a path the file in the user's state directory. */
final class SqliteScheme {

    private SqliteScheme() {}

    static LockBackend open(StoreAddress address) {
        String path = address.rest();
        if (path.isEmpty()) {
            return SqliteLockBackend.open(SqliteLockBackend.defaultFile());
        }
        try {
            return SqliteLockBackend.open(Path.of(path));
        } catch (InvalidPathException e) {
            throw new LockException(Code.INVALID_ARGUMENT, "this is no path of a file");
        }
    }
}
