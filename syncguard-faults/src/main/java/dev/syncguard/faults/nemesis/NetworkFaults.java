package dev.syncguard.faults.nemesis;

import dev.syncguard.testbed.TcpProxy;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/** What networks do to the connections of one client, or of all of them. */
public final class NetworkFaults {

    /** The first copy of a release finds the lock; the answer is that of the second. */
    private static final List<String> REPLAY_EXCUSES = List.of("I5", "L");

    private final Supplier<List<TcpProxy>> proxies;

    /**
     * Prepares them.
     *
     * @param proxies one for each client
     */
    public NetworkFaults(Supplier<List<TcpProxy>> proxies) {
        this.proxies = proxies;
    }

    /** All kinds that fit any protocol. */
    public List<Fault> all() {
        return List.of(
                Fault.of("reset", this::reset),
                Fault.of("reset-in-reply", this::resetInReply),
                Fault.of("latency", this::latency),
                Fault.of("drip", this::drip),
                Fault.of("reply-dropped", this::replyDropped),
                Fault.of("late-delivery", this::lateDelivery),
                Fault.of("partition", this::partition),
                Fault.of("refused", this::refused));
    }

    /** Requests that are executed twice. */
    public Fault replay() {
        return Fault.of("replay", REPLAY_EXCUSES, this::replayed);
    }

    private interface Act {
        void on(TcpProxy proxy);
    }

    private void hit(Strike strike, Act bad, int least, int most, Act good) {
        List<TcpProxy> all = proxies.get();
        boolean everyone = strike.draw(4) == 0;
        int one = strike.draw(all.size());
        List<TcpProxy> hit = everyone ? all : List.of(all.get(one));
        strike.begin(everyone ? "network" : "network of c" + one);
        try {
            hit.forEach(bad::on);
            strike.last(least, most);
        } finally {
            hit.forEach(good::on);
        }
    }

    private void reset(Strike strike) {
        hit(strike, TcpProxy::reset, 0, 30, proxy -> {});
    }

    private void resetInReply(Strike strike) {
        int bytes = strike.between(0, 600);
        hit(strike, proxy -> proxy.cutAfter(bytes), 50, 150, proxy -> proxy.cutAfter(Integer.MAX_VALUE));
    }

    private void latency(Strike strike) {
        Duration latency = Duration.ofMillis(strike.between(5, 150));
        hit(strike, proxy -> proxy.latency(latency), 300, 900, proxy -> proxy.latency(Duration.ZERO));
    }

    private void drip(Strike strike) {
        hit(strike, proxy -> proxy.drip(8), 200, 600, proxy -> proxy.drip(0));
    }

    private void replyDropped(Strike strike) {
        hit(strike, proxy -> proxy.dropReplies(true), 50, 700, proxy -> proxy.dropReplies(false));
    }

    private void lateDelivery(Strike strike) {
        hit(strike, proxy -> proxy.holdRequests(true), 100, 1200, proxy -> proxy.holdRequests(false));
    }

    /** Nothing passes in either direction, then the connections break. */
    private void partition(Strike strike) {
        hit(
                strike,
                proxy -> {
                    proxy.holdRequests(true);
                    proxy.dropReplies(true);
                },
                200,
                1500,
                proxy -> {
                    proxy.dropReplies(false);
                    proxy.holdRequests(false);
                    proxy.reset();
                });
    }

    private void refused(Strike strike) {
        hit(
                strike,
                proxy -> {
                    proxy.refuseConnections(true);
                    proxy.reset();
                },
                100,
                600,
                proxy -> proxy.refuseConnections(false));
    }

    private void replayed(Strike strike) {
        hit(strike, proxy -> proxy.repeatRequests(true), 300, 700, proxy -> proxy.repeatRequests(false));
    }
}
