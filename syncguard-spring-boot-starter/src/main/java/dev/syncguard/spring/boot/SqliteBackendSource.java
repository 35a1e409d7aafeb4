package dev.syncguard.spring.boot;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.spi.LockBackend;
import dev.syncguard.sqlite.SqliteLockBackend;
import dev.syncguard.sqlite.SqliteLockBackendBuilder;
import java.nio.file.Path;

/** Locks in a file, for the processes of one machine. */
final class SqliteBackendSource implements BackendSource {

    private final SyncGuardProperties common;

    SqliteBackendSource(SyncGuardProperties common) {
        this.common = common;
    }

    @Override
    public String name() {
        return StoreModule.SQLITE.source();
    }

    @Override
    public boolean accepts(String url) {
        return StoreModule.SQLITE.accepts(url);
    }

    @Override
    public LockBackend open(String url) {
        String file = url.substring("sqlite:".length());
        if (file.isBlank()) {
            throw new LockException(Code.INVALID_ARGUMENT, "sqlite: needs the path of a file");
        }
        return new Settings<>("syncguard", SqliteLockBackend.builder(Path.of(file)))
                .set("command-timeout", common.commandTimeout(), SqliteLockBackendBuilder::commandTimeout)
                .set("fence-mode", common.fenceMode(), SqliteLockBackendBuilder::fenceMode)
                .set("cleanup-in-is-locked", common.cleanupInIsLocked(), SqliteLockBackendBuilder::cleanupInIsLocked)
                .flag(common.strict(), SqliteLockBackendBuilder::strict)
                .value()
                .build();
    }
}
