package dev.syncguard.faults.store;

import dev.syncguard.FenceMode;
import dev.syncguard.faults.nemesis.Fault;
import dev.syncguard.faults.nemesis.NetworkFaults;
import dev.syncguard.testbed.RedisServer;
import java.util.ArrayList;
import java.util.List;

/** One Redis server whose data survives a crash: an append-only file, written before each reply. */
public final class RedisStore implements TestStore {

    private final RedisServer server;
    private final Proxies proxies;

    /**
     * Starts a server.
     *
     * @param clients how many clients get a network of their own
     */
    public RedisStore(int clients) {
        server = RedisServer.start("--appendonly", "yes", "--appendfsync", "always", "--enable-debug-command", "yes");
        proxies = new Proxies(clients, server.port());
    }

    @Override
    public String url(int client) {
        return "redis://127.0.0.1:" + proxies.port(client, server.port());
    }

    @Override
    public List<Fault> faults(FenceMode mode) {
        NetworkFaults network = new NetworkFaults(proxies::all);
        List<Fault> faults = new ArrayList<>(network.all());
        faults.add(network.replay());
        faults.addAll(new RedisFaults(server).all());
        if (mode == FenceMode.TIME_FLOORED) {
            faults.addAll(new RedisDataLoss(server).all());
        }
        return faults;
    }

    @Override
    public List<Fault> seededFaults() {
        return List.of(Fault.of("unexcused-flush", new RedisDataLoss(server)::flush));
    }

    @Override
    public void heal() {
        proxies.heal();
        server.thaw();
        server.command("CONFIG", "SET", "maxclients", "10000");
        server.command("CONFIG", "SET", "maxmemory", "0");
    }

    @Override
    public Leftovers leftovers() {
        return RedisContents.of(List.of(server));
    }

    @Override
    public void close() {
        proxies.close();
        server.close();
    }
}
