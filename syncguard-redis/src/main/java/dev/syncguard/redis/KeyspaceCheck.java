package dev.syncguard.redis;

import static dev.syncguard.redis.RedisDiagnostics.ok;
import static dev.syncguard.redis.RedisDiagnostics.unknown;

import dev.syncguard.Finding;
import dev.syncguard.Finding.Level;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.protocol.CommandType;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Goes through the fence counters: how many there are, and whether another prefix names the same locks. */
final class KeyspaceCheck {

    private static final String COUNTERS = "redis.counters";
    private static final String PREFIX = "redis.prefix";
    private static final int SCAN_PAGES = 200;

    private final RedisSession session;
    private final RedisKeys keys;
    private final Set<String> overlapping = new TreeSet<>();
    private long counters;
    private boolean complete = true;

    KeyspaceCheck(RedisSession session) {
        this.session = session;
        this.keys = session.keys();
    }

    List<Finding> findings() {
        try {
            for (StatefulConnection<String, String> master :
                    session.link().masters().values()) {
                scan(session.executor(master));
            }
        } catch (LockException e) {
            if (e.code() != Code.AUTH_FAILED) {
                throw e;
            }
            return List.of(unknown(COUNTERS, "SCAN is not allowed"), unknown(PREFIX, "SCAN is not allowed"));
        }
        return List.of(counted(), prefixes());
    }

    private void scan(RedisExecutor executor) {
        String cursor = "0";
        int pages = 0;
        do {
            List<Object> reply = executor.await(
                    RedisCall.of(CommandType.SCAN, cursor, "MATCH", keys.counterPattern(), "COUNT", "5000"));
            cursor = RedisReply.text(reply, 0);
            reply.stream().skip(1).map(String.class::cast).forEach(this::look);
        } while (!cursor.equals("0") && ++pages < SCAN_PAGES);
        complete &= cursor.equals("0");
    }

    private void look(String name) {
        if (keys.isCounter(name)) {
            counters++;
        } else {
            keys.overlappingPrefix(name).ifPresent(overlapping::add);
        }
    }

    private Finding counted() {
        return ok(
                COUNTERS,
                (complete ? "" : "more than ") + counters + " fence counters, about 100 bytes each, kept for ever");
    }

    private Finding prefixes() {
        if (overlapping.isEmpty()) {
            return ok(
                    PREFIX, "no other prefix" + (complete ? "" : ", as far as was looked,") + " names the same locks");
        }
        return new Finding(
                PREFIX,
                Level.WARN,
                "this prefix overlaps with " + String.join(", ", overlapping)
                        + ": the same lock has two names and two fence counters, whose fences cannot be compared",
                "give services the same prefix, or prefixes of which none begins with another and a colon");
    }
}
