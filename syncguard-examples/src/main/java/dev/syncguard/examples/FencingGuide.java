package dev.syncguard.examples;

import static java.time.Duration.ofSeconds;

import com.google.api.core.ApiFuture;
import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.Transaction;
import dev.syncguard.Fence;
import dev.syncguard.Lease;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockOptions;
import dev.syncguard.SyncGuard;
import dev.syncguard.fence.FenceGuard;
import dev.syncguard.fence.MemoryFenceGuard;
import dev.syncguard.fence.StaleFenceException;
import dev.syncguard.fence.http.FenceCheck;
import dev.syncguard.fence.http.FenceProblem;
import dev.syncguard.fence.http.FencedRequests;
import dev.syncguard.fence.jdbc.FenceColumn;
import dev.syncguard.fence.jdbc.JdbcFenceGuard;
import dev.syncguard.firestore.FirestoreFenceGuard;
import dev.syncguard.postgres.PostgresLeaseCheck;
import dev.syncguard.redis.FencedScript;
import dev.syncguard.redis.RedisFenceGuard;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The code of docs/guide/fencing.md. */
final class FencingGuide {

    static final JdbcFenceGuard FENCES = JdbcFenceGuard.create();

    static final FenceColumn ACCOUNTS = new FenceColumn("accounts", "id", "fence"); // a BIGINT column

    static final FencedScript COUNT = FencedScript.of("return redis.call('INCR', KEYS[1])");

    private FencingGuide() {}

    static String checkAndWrite(SyncGuard guard, MemoryFenceGuard fences, Consumer<String> printer) {
        try {
            return guard.call("printer:1", lease -> {
                return fences.advance("printer:1", lease.fence(), () -> {
                    printer.accept("invoice 42"); // no other writer comes between the check and this
                    return "printed";
                });
            });
        } catch (StaleFenceException stale) {
            return "refused: " + stale.highest() + " was here before " + stale.fence();
        }
    }

    static String readAndWrite(
            SyncGuard guard,
            RedisFenceGuard fences,
            StatefulRedisConnection<String, String> redis,
            UnaryOperator<String> change) {
        return guard.call("account:7", lease -> {
            fences.advance("account:7", lease.fence()); // before the read: from here on no older holder writes
            String after = change.apply(redis.sync().get("account:7"));
            fences.set("account:7", after, lease.fence()); // and again with the write: a newer holder may have come
            return after;
        });
    }

    static void deposit(SyncGuard guard, DataSource dataSource) throws SQLException {
        guard.run("account:7", lease -> {
            try (Connection connection = dataSource.getConnection()) {
                connection.setAutoCommit(false);
                try {
                    FENCES.advance(connection, "account:7", lease.fence());
                    addToBalance(connection, 7, 100);
                    connection.commit();
                } catch (SQLException | RuntimeException e) {
                    connection.rollback(); // also after a StaleFenceException: nothing is written
                    throw e;
                }
            }
        });
    }

    private static void addToBalance(Connection connection, long id, int amount) throws SQLException {
        try (PreparedStatement update =
                connection.prepareStatement("UPDATE accounts SET balance = balance + ? WHERE id = ?")) {
            update.setInt(1, amount);
            update.setLong(2, id);
            update.executeUpdate();
        }
    }

    static void depositAgainAndAgain(SyncGuard guard, DataSource dataSource) throws SQLException {
        for (int attempt = 1; ; attempt++) {
            try {
                deposit(guard, dataSource);
                return;
            } catch (SQLException conflict) {
                if (attempt == 5 || !"40001".equals(conflict.getSQLState())) {
                    throw conflict;
                }
            }
        }
    }

    static void fenceColumn(Connection connection, Lease lease) throws SQLException {
        try (PreparedStatement update = connection.prepareStatement(
                "UPDATE accounts SET balance = balance + ?, fence = ? WHERE id = ? AND fence <= ?")) {
            update.setInt(1, 100);
            update.setLong(2, lease.fence().value());
            update.setLong(3, 7);
            update.setLong(4, lease.fence().value());
            ACCOUNTS.requireWritten(connection, 7L, lease.fence(), update.executeUpdate());
        }
    }

    static void exclusion(SyncGuard guard, PostgresLeaseCheck check, DataSource dataSource) throws SQLException {
        guard.run("account:7", guard.options().autoExtend(), lease -> {
            try (Connection connection = dataSource.getConnection()) {
                connection.setAutoCommit(false);
                check.assertHeld(connection, lease); // no other client gets the lock until this transaction ends
                addToBalance(connection, 7, 100);
                connection.commit(); // before the lease is released
            }
        });
    }

    static RedisClient redisClient(String url) {
        RedisClient client = RedisClient.create(url);
        client.setOptions(ClientOptions.builder()
                .disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS) // others may send a script twice
                .build());
        return client;
    }

    static void redis(SyncGuard guard, RedisFenceGuard fences) {
        guard.run("account:7", lease -> {
            fences.set("account:7", "{\"balance\":100}", lease.fence());
            fences.hset("account:7:owner", Map.of("name", "Ann"), lease.fence());
            fences.del("account:7:draft", lease.fence());
        });
    }

    static long versionCounter(SyncGuard guard, RedisFenceGuard fences) {
        return guard.call("counter", lease -> {
            List<Object> result = fences.run(COUNT, List.of("counter"), List.of(), lease.fence());
            return (Long) result.get(0);
        });
    }

    static void firestore(SyncGuard guard, Firestore firestore, FirestoreFenceGuard fences) throws Exception {
        DocumentReference account = firestore.document("accounts/7");
        guard.run("account:7", lease -> {
            ApiFuture<Transaction> done = firestore.runTransaction(transaction -> {
                Long balance = transaction.get(account).get().getLong("balance"); // reads first
                fences.advance(transaction, "account:7", lease.fence()); // then the check
                return transaction.set(account, Map.of("balance", (balance == null ? 0 : balance) + 100));
            });
            done.get(); // fails with the StaleFenceException as its cause
        });
    }

    static String otherPlaces(SyncGuard guard, FenceGuard fences, Consumer<Fence> api) {
        return guard.call("job:456", lease -> {
            fences.advance("job:456", lease.fence()); // refuses a late holder, but not one that stops right here
            api.accept(lease.fence());
            return "sent with " + lease.fence();
        });
    }

    static void overHttp(SyncGuard guard, HttpClient client, URI account) throws Exception {
        guard.run("account:7", lease -> {
            HttpRequest.Builder request = HttpRequest.newBuilder(account).PUT(BodyPublishers.ofString("100"));
            HttpResponse<String> response =
                    client.send(FencedRequests.with(lease.fence(), request).build(), BodyHandlers.ofString());
            if (FencedRequests.check("account:7", response).statusCode() >= 300) { // stale: a StaleFenceException
                throw new IOException("the service answered " + response.statusCode());
            }
        });
    }

    static Optional<FenceProblem> answer(@Nullable List<String> fenceHeaders, DataSource dataSource)
            throws SQLException {
        return FenceCheck.run(fenceHeaders, fence -> {
            try (Connection connection = dataSource.getConnection()) {
                connection.setAutoCommit(false);
                try {
                    FENCES.advance(connection, "account:7", fence); // the guard of the data, in its transaction
                    addToBalance(connection, 7, 100);
                    connection.commit();
                } catch (SQLException | RuntimeException e) {
                    connection.rollback();
                    throw e;
                }
            }
        }); // empty: done; else status, header and body of the answer
    }

    static void heartbeat(SyncGuard guard, List<Consumer<Fence>> batches) {
        LockOptions options = guard.options().ttl(ofSeconds(60)).autoExtend(); // renewed every 20 s

        guard.run("batch-job", options, lease -> {
            for (Consumer<Fence> batch : batches) {
                lease.ensureValid(); // no request: stops soon after a loss
                batch.accept(lease.fence()); // the guard at the resource: stops for certain
            }
        });
    }

    static String usedUp(SyncGuard guard, String key, Consumer<String> operations) {
        try {
            return guard.call(key, lease -> "granted " + lease.fence());
        } catch (LockException e) {
            if (e.code() != Code.INTERNAL) {
                throw e; // contention, or the store is not reachable
            }
            operations.accept("move to a new key: " + e.getMessage()); // the key's hash, never its text
            return "not granted";
        }
    }

    static List<Fence> comparing() {
        Fence older = Fence.parse("000000000000100");
        Fence newer = new Fence(200);

        boolean byNumber = newer.isNewerThan(older);
        boolean byText = newer.toString().compareTo(older.toString()) > 0; // in any language, any store
        List<Fence> sorted = Stream.of(newer, older).sorted().toList();

        return byNumber && byText ? sorted : List.of();
    }
}
