package dev.syncguard.faults.store;

import dev.syncguard.testbed.TcpProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** A proxy for each client, in front of one server. */
final class Proxies implements AutoCloseable {

    private final List<TcpProxy> proxies;

    Proxies(int clients, int port) {
        proxies = IntStream.range(0, clients).mapToObj(i -> TcpProxy.to(port)).toList();
    }

    List<TcpProxy> all() {
        return proxies;
    }

    /** Where a client connects to; the server itself for one that has no proxy. */
    int port(int client, int direct) {
        return client < proxies.size() ? proxies.get(client).port() : direct;
    }

    void heal() {
        for (TcpProxy proxy : new ArrayList<>(proxies)) {
            proxy.latency(Duration.ZERO);
            proxy.drip(0);
            proxy.cutAfter(Integer.MAX_VALUE);
            proxy.repeatRequests(false);
            proxy.refuseConnections(false);
            proxy.holdRequests(false);
            proxy.dropReplies(false);
        }
    }

    @Override
    public void close() {
        proxies.forEach(TcpProxy::close);
    }
}
