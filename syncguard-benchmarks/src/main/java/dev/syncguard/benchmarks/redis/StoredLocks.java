package dev.syncguard.benchmarks.redis;

import dev.syncguard.testbed.RedisServer;

/** Held locks, written past every client in the stored format. */
final class StoredLocks {

    private static final int AT_ONCE = 10_000;

    /** Counts from ARGV[1] to ARGV[2]. */
    private static final String FILL = """
            local time = redis.call('TIME')
            local now = time[1] * 1000
            local ttl = 86400000
            for i = ARGV[1], ARGV[2] do
              local n = string.format('%021d', i)
              local key = 'held-' .. n
              local id = n .. 'A'
              local lock = 'syncguard:' .. key
              redis.call('SET', lock, '{"lockId":"' .. id .. '","expiresAtMs":' .. string.format('%.0f', now + ttl)
                .. ',"acquiredAtMs":' .. string.format('%.0f', now) .. ',"key":"' .. key
                .. '","fence":"000000000000001"}', 'PX', ttl)
              redis.call('SET', 'syncguard:id:' .. id, lock, 'PX', ttl)
              redis.call('SET', 'syncguard:fence:' .. lock, 1)
            end
            return 'OK'
            """;

    private StoredLocks() {}

    /** Fills an empty server and returns the bytes it uses for each lock. */
    static double fill(RedisServer server, int locks) {
        double before = used(server);
        for (int from = 1; from <= locks; from += AT_ONCE) {
            int to = Math.min(locks, from + AT_ONCE - 1);
            server.command("EVAL", FILL, "0", Integer.toString(from), Integer.toString(to));
        }
        return (used(server) - before) / locks;
    }

    private static double used(RedisServer server) {
        return Double.parseDouble(RedisMeter.field(server, "memory", "used_memory"));
    }
}
