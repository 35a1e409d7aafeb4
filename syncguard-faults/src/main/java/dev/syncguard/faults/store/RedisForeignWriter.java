package dev.syncguard.faults.store;

import dev.syncguard.faults.nemesis.Strike;
import dev.syncguard.testbed.RedisServer;

/** Somebody else writes where locks and counters are; never over a live lock. */
final class RedisForeignWriter {

    private static final String PREFIX = "syncguard:";
    private static final int COUNTERS = 64;

    private final RedisServer server;

    RedisForeignWriter(RedisServer server) {
        this.server = server;
    }

    void garbage(Strike strike) {
        String key = "zq7:mixed-" + strike.draw(16);
        strike.begin("redis", key, "");
        boolean written = server.command("SET", PREFIX + key, "garbage", "NX", "PX", "3000")
                .equals("OK");
        strike.last(50, 200);
        if (written) {
            server.command("DEL", PREFIX + key);
        }
    }

    /** A counter of sixteen digits: no lock may be granted, and none be written. */
    void counter(Strike strike) {
        String key = "zq7:many-" + strike.draw(COUNTERS);
        String counter = PREFIX + "fence:" + PREFIX + key;
        String before = server.command("GET", counter);
        if (before.isEmpty()) {
            return;
        }
        strike.begin("redis", key, "");
        before = server.command("GETSET", counter, "1000000000000000");
        strike.last(350, 400); // what was granted before is over
        String lock = server.command("GET", PREFIX + key);
        strike.last(50, 100);
        if (server.command("GET", counter).equals("1000000000000000")) {
            server.command("SET", counter, before);
        }
        if (!lock.isEmpty()) {
            strike.write(strike.note("look")
                    .put("key", key)
                    .put("found", true)
                    .put("note", "a lock was written while its counter was damaged"));
        }
    }
}
