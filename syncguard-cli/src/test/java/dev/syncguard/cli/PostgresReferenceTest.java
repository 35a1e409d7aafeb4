package dev.syncguard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.postgres.PostgresNames;
import dev.syncguard.postgres.PostgresSchema;
import dev.syncguard.testbed.PostgresReferenceClient;
import dev.syncguard.testbed.PostgresReferenceClient.Held;
import dev.syncguard.testbed.PostgresServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;

/** The command beside a client of the specification's reference, on the same tables. */
class PostgresReferenceTest {

    private static final String LOCKS = "public.syncguard_locks";
    private static final String COUNTERS = "public.syncguard_fence_counters";

    private static final String MARK = "mkdir \"$0\" && rmdir \"$0\"";

    private final String key = "shared:" + UUID.randomUUID();

    @BeforeAll
    static void tables() {
        PostgresSchema.create(source(), PostgresNames.defaults());
    }

    private static PGSimpleDataSource source() {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(PostgresServer.sharedUrl());
        return source;
    }

    @Test
    @DisplayName(
            "grants nothing while the other client is inside its acquire, unless the URL assumes that there is none")
    void insideAcquire() throws Exception {
        try (Connection other = source().getConnection();
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute("SELECT pg_advisory_xact_lock(hashtext('" + key + "'))");

            assertThat(Cli.on(PostgresServer.sharedUrl()).run("acquire", key).code())
                    .isNotZero();
            Cli.on(PostgresServer.sharedUrl() + "&assumeNoOtherLibrary=true")
                    .run("acquire", key)
                    .exits(0);
        }
    }

    @Test
    @DisplayName("never holds a lock together with the other client")
    void race(@TempDir Path directory) throws Exception {
        AtomicBoolean done = new AtomicBoolean();
        Path marker = directory.resolve("held");
        CompletableFuture<Integer> other = CompletableFuture.supplyAsync(() -> hold(marker, done));
        try {
            for (int i = 0; i < 5; i++) {
                Cli.on(PostgresServer.sharedUrl())
                        .run("run", key, "--wait", "50s", "--", "sh", "-c", MARK, marker.toString())
                        .exits(0);
            }
        } finally {
            done.set(true);
        }
        assertThat(other.join()).isPositive();
    }

    /** Marks while it holds; a mark that exists already is the command's, which holds at the same time. */
    private int hold(Path marker, AtomicBoolean done) {
        int grants = 0;
        try (PostgresReferenceClient reference = new PostgresReferenceClient(source(), LOCKS, COUNTERS)) {
            while (!done.get()) {
                Optional<Held> held = reference.acquire(key, 30_000);
                if (held.isPresent()) {
                    Files.createDirectory(marker);
                    Files.delete(marker);
                    reference.release(held.get().lockId());
                    grants++;
                    Thread.sleep(20);
                }
            }
            return grants;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
