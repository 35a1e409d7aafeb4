package dev.syncguard.benchmarks.postgres;

import dev.syncguard.LockOptions;
import dev.syncguard.SyncGuard;
import dev.syncguard.postgres.PostgresLockBackend;
import dev.syncguard.postgres.PostgresNames;
import dev.syncguard.postgres.PostgresSchema;
import java.time.Duration;
import javax.sql.DataSource;

/** The facade, as an application uses it. */
final class Ours implements Candidate {

    private static final LockOptions PATIENT = LockOptions.defaults().waitAtMost(Duration.ofMinutes(1));

    private final SyncGuard guard;

    Ours(DataSource source) {
        PostgresSchema.create(source, PostgresNames.defaults());
        guard = SyncGuard.of(PostgresLockBackend.builder(source).build());
    }

    @Override
    public void locked(String key, Runnable body) {
        guard.run(key, PATIENT, lease -> body.run());
    }

    @Override
    public void close() {
        guard.close();
    }
}
