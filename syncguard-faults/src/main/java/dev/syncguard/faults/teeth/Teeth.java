package dev.syncguard.faults.teeth;

import dev.syncguard.faults.teeth.Tooth.Edit;
import java.util.List;

/** All seeded bugs. */
public final class Teeth {

    private static final String CORE = "syncguard-core";
    private static final String REDIS = "syncguard-redis";
    private static final String POSTGRES = "syncguard-postgres";
    private static final String SQLITE = "syncguard-sqlite";
    private static final String LUA = "resources/dev/syncguard/redis/";
    private static final String SQL = "resources/dev/syncguard/postgres/";
    private static final String INTERNAL = "java/dev/syncguard/internal/";

    private static final Scenario HOT = Scenario.on("redis", "W1 W2", "latency client-stop", 8);
    private static final Scenario STORM = Scenario.on("redis", "W6 W10 W11", "", 6);
    private static final Scenario OWN = Scenario.on("redis", "W5", "replay reply-dropped", 8);
    private static final Scenario SHORTENED = Scenario.on("redis", "W14", "latency reply-dropped", 10);
    private static final Scenario ROWS = Scenario.on("postgres", "W1 W5 W8", "row-stall reference-client", 12);

    private static final Scenario STALLED = Scenario.on("postgres", "W13", "row-stall", 10);

    private Teeth() {}

    /** Returns all of them. */
    public static List<Tooth> all() {
        return List.of(
                // ---- the plan's
                Tooth.of(
                        "release-without-owner-check",
                        REDIS,
                        LUA + "release.lua",
                        "if lockId ~= ARGV[1] then",
                        "if false then",
                        HOT,
                        "I2",
                        "I4",
                        "I5",
                        "L"),
                Tooth.of(
                        "extend-without-owner-check",
                        REDIS,
                        LUA + "extend.lua",
                        "if lockId ~= ARGV[1] then",
                        "if false then",
                        Scenario.floored("redis", "W3", "lock-deleted", 10),
                        "I6"),
                Tooth.of(
                        "extend-after-expiry",
                        POSTGRES,
                        SQL + "extend.sql",
                        "AND judged.expires_at_ms > judged.now_ms",
                        "AND true",
                        STALLED,
                        "I6"),
                Tooth.of(
                        "upsert-without-a-look",
                        POSTGRES,
                        SQL + "acquire.sql",
                        "WHERE stored.expires_at_ms <= {now} - {tolerance}",
                        "WHERE true",
                        ROWS,
                        "I2",
                        "I5",
                        "L"),
                Tooth.of(
                        "clock-of-the-statement",
                        POSTGRES,
                        "java/dev/syncguard/postgres/PostgresStatements.java",
                        "epoch FROM pg_catalog.clock_timestamp()",
                        "epoch FROM pg_catalog.now()",
                        STALLED,
                        "I6"),
                Tooth.of(
                        "replay-not-recognized",
                        REDIS,
                        LUA + "acquire.lua",
                        "if lock.lockId == ARGV[1] and lock.expiresAtMs > nowMs then",
                        "if false then",
                        OWN,
                        "I10"),
                Tooth.of(
                        "deadline-from-the-reply",
                        CORE,
                        INTERNAL + "AcquireRequests.java",
                        "admit(grant, from, now);",
                        "admit(grant, now, now);",
                        HOT,
                        "I2"),
                Tooth.of(
                        "fence-with-a-ttl",
                        REDIS,
                        LUA + "acquire.lua",
                        "fence = redis.call('INCR', KEYS[3])",
                        "fence = redis.call('INCR', KEYS[3]) redis.call('PEXPIRE', KEYS[3], ARGV[2])",
                        HOT,
                        "I1",
                        "I3"),
                new Tooth(
                        "fence-counted-outside-the-script",
                        REDIS,
                        LUA + "acquire.lua",
                        List.of(new Edit(
                                "fence = redis.call('INCR', KEYS[3])",
                                "fence = last + 1 if nowMs % 2 == 0 then redis.call('SET', KEYS[3], fence) end")),
                        HOT,
                        List.of("I1", "I3")),
                Tooth.of(
                        "counter-compared-as-text",
                        REDIS,
                        LUA + "acquire.lua",
                        "if #counter > 15 or tonumber(counter) >= MAX_FENCE then",
                        "if counter >= '900000000000000' then",
                        Scenario.on("redis", "W2", "damaged-counter", 10),
                        "I10"),
                Tooth.of(
                        "cleanup-deletes-fences",
                        SQLITE,
                        "java/dev/syncguard/sqlite/LockTables.java",
                        "WHERE lock_id = ? AND expires_at_ms = ?\", lockId.value(), expiresAtMs);",
                        "WHERE lock_id = ?\", lockId.value()); session.run(\"DELETE FROM syncguard_fence_counters\");",
                        Scenario.on("sqlite", "W12", "", 12),
                        "I1"),
                Tooth.of(
                        "release-with-the-cancelled-signal",
                        CORE,
                        INTERNAL + "BlockingAcquire.java",
                        "            lease.close();\n",
                        "            if (!signal.isAborted()) { lease.close(); }\n",
                        STORM,
                        "I9"),
                new Tooth(
                        "new-lock-id-on-retry",
                        CORE,
                        INTERNAL + "AcquireRequests.java",
                        List.of(
                                new Edit("    final LockId lockId;", "    LockId lockId;"),
                                new Edit(
                                        "        sent = now;\n",
                                        "        sent = now;\n        if (unanswered > 0) { lockId = newLockId(context.store(), key); }\n")),
                        Scenario.on("redis", "W5", "reply-dropped", 10),
                        List.of("I10", "I9")),
                Tooth.of(
                        "index-without-ttl",
                        REDIS,
                        LUA + "acquire.lua",
                        "redis.call('SET', KEYS[2], KEYS[1], 'NX', 'PX', ARGV[2])",
                        "redis.call('SET', KEYS[2], KEYS[1], 'NX')",
                        HOT,
                        "I9"),
                Tooth.of(
                        "connection-leaked-on-timeout",
                        POSTGRES,
                        "java/dev/syncguard/postgres/BorrowedConnection.java",
                        "            WatchedOperation.abort(connection);\n",
                        "            return;\n",
                        Scenario.on("postgres", "W1 W8 W9", "table-stall", 12),
                        "I8"),
                // ---- what reviews found
                Tooth.of(
                        "belief-kept-while-shortening",
                        CORE,
                        INTERNAL + "LeaseTime.java",
                        "old.cappedAt(Deadlines.of(dispatched, ttl, ttl.millis()))",
                        "old.cappedAt(old.deadline())",
                        SHORTENED,
                        "I2"),
                new Tooth(
                        "close-without-waiting",
                        CORE,
                        INTERNAL + "Shutdown.java",
                        List.of(
                                new Edit("if (!inFlight.awaitIdle(limit / 2)) {", "if (limit < 0) {"),
                                new Edit(
                                        "if (!inFlight.awaitIdle(limit - (System.nanoTime() - start))) {",
                                        "if (limit < 0) {")),
                        STORM,
                        List.of("I9", "I10")),
                Tooth.of(
                        "error-after-the-grant",
                        CORE,
                        INTERNAL + "Store.java",
                        "} catch (Throwable e) {",
                        "} catch (RuntimeException e) {",
                        STORM,
                        "I9",
                        "I10"),
                Tooth.of(
                        "other-library-overwrites",
                        POSTGRES,
                        "java/dev/syncguard/postgres/PostgresLockBackend.java",
                        "!builder.noOtherLibrary",
                        "false",
                        ROWS,
                        "I2",
                        "L"),
                // ---- of our own
                new Tooth(
                        "data-lost-without-a-floor",
                        "",
                        "",
                        List.of(),
                        Scenario.on("redis", "W1 W2", "unexcused-flush", 8),
                        List.of("I1", "I2", "I3", "I5", "L")),
                Tooth.of(
                        "resource-without-a-guard",
                        "syncguard-faults",
                        "java/dev/syncguard/faults/register/Register.java",
                        "if (number < cell.highest) {",
                        "if (number < 0) {",
                        HOT,
                        "I3"),
                Tooth.of(
                        "raw-key-in-a-message",
                        CORE,
                        "java/dev/syncguard/LockException.java",
                        "\" [key \" + key.hash() + \"]\"",
                        "\" [key \" + key.value() + \"]\"",
                        HOT,
                        "I11"),
                Tooth.of(
                        "late-grant-accepted",
                        CORE,
                        INTERNAL + "LeaseTime.java",
                        "return now - deadline() >= 0;",
                        "return now < Long.MIN_VALUE;",
                        Scenario.on("redis", "W2 W8", "late-delivery latency", 12),
                        "I12"),
                Tooth.of(
                        "fence-not-stored",
                        SQLITE,
                        "java/dev/syncguard/sqlite/Granting.java",
                        "LockTables.count(session, fenceKey, fence);",
                        "",
                        Scenario.on("sqlite", "W2", "", 6),
                        "I1"));
    }
}
