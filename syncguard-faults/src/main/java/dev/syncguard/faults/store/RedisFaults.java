package dev.syncguard.faults.store;

import dev.syncguard.faults.nemesis.Fault;
import dev.syncguard.faults.nemesis.Strike;
import dev.syncguard.testbed.RedisServer;
import java.io.IOException;
import java.util.List;

/** What can happen to a Redis server that keeps its data. */
final class RedisFaults {

    private final RedisServer server;

    RedisFaults(RedisServer server) {
        this.server = server;
    }

    List<Fault> all() {
        return List.of(
                Fault.of("server-kill", this::kill),
                Fault.of("server-freeze", this::freeze),
                Fault.of("script-flush", this::flushScripts),
                Fault.of("client-kill", this::killConnections),
                Fault.of("client-pause", this::pause),
                Fault.of("busy-script", this::busyScript),
                Fault.of("out-of-memory", this::outOfMemory),
                Fault.of("max-clients", this::maxClients),
                Fault.of("foreign-value", new RedisForeignWriter(server)::garbage),
                Fault.of("damaged-counter", new RedisForeignWriter(server)::counter));
    }

    /** Inflicts one of them, which this server is chosen for only now. */
    void inflict(String kind, Strike strike) throws Exception {
        for (Fault fault : all()) {
            if (fault.kind().equals(kind)) {
                fault.body().inflict(strike);
            }
        }
    }

    private void kill(Strike strike) {
        strike.begin("redis");
        server.kill();
        strike.last(0, 300);
        server.restart();
    }

    /** Longer than most leases last. */
    private void freeze(Strike strike) {
        strike.begin("redis");
        server.freeze();
        strike.last(50, 1200);
        server.thaw();
    }

    private void flushScripts(Strike strike) {
        strike.begin("redis");
        server.command("SCRIPT", "FLUSH");
    }

    private void killConnections(Strike strike) {
        strike.begin("redis");
        server.command("CLIENT", "KILL", "TYPE", strike.draw(2) == 0 ? "normal" : "pubsub");
    }

    private void pause(Strike strike) {
        strike.begin("redis");
        server.command("CLIENT", "PAUSE", Integer.toString(strike.between(50, 700)), "ALL");
        strike.last(50, 700);
    }

    private void busyScript(Strike strike) {
        strike.begin("redis");
        String millis = Integer.toString(strike.between(50, 500));
        server.command(
                "EVAL",
                "local function ms() local t = redis.call('TIME') return t[1] * 1000 + t[2] / 1000 end"
                        + " local start = ms() while ms() - start < tonumber(ARGV[1]) do end return 1",
                "0",
                millis);
    }

    private void outOfMemory(Strike strike) {
        strike.begin("redis");
        server.command("CONFIG", "SET", "maxmemory", "1");
        strike.last(50, 400);
        server.command("CONFIG", "SET", "maxmemory", "0");
    }

    private void maxClients(Strike strike) throws IOException {
        strike.begin("redis");
        try (RedisSession session = new RedisSession(server)) {
            session.command("CONFIG SET maxclients 8");
            session.command("CLIENT KILL TYPE normal SKIPME yes");
            strike.last(50, 400);
            session.command("CONFIG SET maxclients 10000");
        }
    }
}
