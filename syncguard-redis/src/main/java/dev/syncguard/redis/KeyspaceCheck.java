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
import java.util.stream.Collectors;

/** Goes through the fence counters: how many there are, and whether another prefix names the same locks. */
final class KeyspaceCheck {

    private static final String COUNTERS = "redis.counters";
    private static final String PREFIX = "redis.prefix";
    private static final int SCAN_PAGES = 200;
    private static final int SHOWN = 5;
    private static final int LONGEST_NAME = 64;

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

    /** Any client of the server may have made up these names, and they reach logs. */
    private String others() {
        String shown =
                overlapping.stream().limit(SHOWN).map(KeyspaceCheck::printable).collect(Collectors.joining(", "));
        return overlapping.size() <= SHOWN ? shown : shown + " and " + (overlapping.size() - SHOWN) + " more";
    }

    private static String printable(String name) {
        String start = name.length() <= LONGEST_NAME ? name : name.substring(0, LONGEST_NAME) + "…";
        return start.replaceAll("[^\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}]", "?");
    }

    private Finding prefixes() {
        if (overlapping.isEmpty()) {
            return ok(
                    PREFIX, "no other prefix" + (complete ? "" : ", as far as was looked,") + " names the same locks");
        }
        return new Finding(
                PREFIX,
                Level.WARN,
                "this prefix overlaps with " + others()
                        + ": the same lock has two names and two fence counters, whose fences cannot be compared",
                "give services the same prefix, or prefixes of which none begins with another and a colon");
    }
}
