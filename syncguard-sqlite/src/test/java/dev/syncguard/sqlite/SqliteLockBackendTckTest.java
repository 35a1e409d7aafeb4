package dev.syncguard.sqlite;

import dev.syncguard.FenceMode;
import dev.syncguard.spi.LockBackend;
import dev.syncguard.tck.LockBackendTck;
import dev.syncguard.tck.StoreProbe;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** The contract, on a file in a folder of its own. */
class SqliteLockBackendTckTest extends LockBackendTck {

    @TempDir
    static Path folder;

    FenceMode fenceMode() {
        return FenceMode.COUNTER;
    }

    Path file() {
        return folder.resolve(getClass().getSimpleName()).resolve("locks.db");
    }

    @Override
    protected LockBackend createBackend() {
        return SqliteLockBackend.builder(file()).fenceMode(fenceMode()).build();
    }

    @Override
    protected LockBackend createCleaningBackend() {
        return SqliteLockBackend.builder(file())
                .fenceMode(fenceMode())
                .cleanupInIsLocked(true)
                .build();
    }

    @Override
    protected StoreProbe store() {
        return new SqliteProbe(file());
    }

    /** Nothing can be created below something that is a file. */
    @Override
    protected LockBackend createUnreachableBackend() {
        try (LockBackend backend = createBackend()) {
            backend.isLocked(Locks.KEY, Locks.NONE);
        }
        return SqliteLockBackend.open(file().resolve("locks.db"));
    }
}
