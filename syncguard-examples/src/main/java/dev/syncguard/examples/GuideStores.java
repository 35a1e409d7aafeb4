package dev.syncguard.examples;

import static java.time.Duration.ofSeconds;

import com.google.cloud.firestore.Firestore;
import dev.syncguard.FenceMode;
import dev.syncguard.SyncGuard;
import dev.syncguard.firestore.FirestoreLockBackend;
import dev.syncguard.postgres.PostgresLockBackend;
import dev.syncguard.postgres.PostgresNames;
import dev.syncguard.postgres.PostgresSchema;
import dev.syncguard.redis.RedisLockBackend;
import dev.syncguard.spi.LockBackend;
import dev.syncguard.sqlite.SqliteLockBackend;
import java.nio.file.Path;
import javax.sql.DataSource;

/** The code of the README and of the guide's pages about stores. */
final class GuideStores {

    private GuideStores() {}

    static SyncGuard redis(String url) {
        SyncGuard guard = SyncGuard.of(RedisLockBackend.connect(url)); // "redis://localhost:6379"
        return guard;
    }

    static LockBackend redisSettings(String url) {
        LockBackend backend = RedisLockBackend.builder(url)
                .keyPrefix("billing") // "syncguard" without it; the same in all services that share locks
                .fenceMode(FenceMode.TIME_FLOORED) // fences rise even if the server loses its counters
                .commandTimeout(ofSeconds(2)) // one operation never takes longer
                .build();
        return backend;
    }

    static SyncGuard postgres(DataSource dataSource) {
        PostgresSchema.create(dataSource, PostgresNames.defaults()); // once; or schema.sql with a migration tool
        SyncGuard guard = SyncGuard.of(PostgresLockBackend.builder(dataSource).build());
        return guard;
    }

    static SyncGuard firestore(Firestore firestore) {
        SyncGuard guard = SyncGuard.of(FirestoreLockBackend.builder(firestore).build());
        return guard;
    }

    static SyncGuard sqlite(Path file) {
        SyncGuard guard = SyncGuard.of(SqliteLockBackend.open(file)); // Path.of("/var/lib/app/locks.db")
        return guard;
    }
}
