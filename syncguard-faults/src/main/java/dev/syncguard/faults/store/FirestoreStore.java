package dev.syncguard.faults.store;

import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.FirestoreOptions;
import com.google.cloud.firestore.QueryDocumentSnapshot;
import dev.syncguard.FenceMode;
import dev.syncguard.faults.nemesis.Fault;
import dev.syncguard.faults.nemesis.NetworkFaults;
import dev.syncguard.faults.nemesis.Strike;
import dev.syncguard.testbed.firestore.FirestoreServer;
import io.grpc.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The in-process fake of Firestore, on a port that other processes reach. */
public final class FirestoreStore implements TestStore {

    private static final List<Status.Code> FAILURES = List.of(
            Status.Code.UNAVAILABLE,
            Status.Code.ABORTED,
            Status.Code.INTERNAL,
            Status.Code.DEADLINE_EXCEEDED,
            Status.Code.RESOURCE_EXHAUSTED,
            Status.Code.UNKNOWN,
            Status.Code.CANCELLED);

    private final FirestoreServer server = FirestoreServer.start();
    private final Firestore direct = FirestoreOptions.newBuilder()
            .setProjectId(server.projectId())
            .setEmulatorHost(server.hostAndPort())
            .build()
            .getService();
    private final Proxies proxies;

    /**
     * Starts a server.
     *
     * @param clients how many clients get a network of their own
     */
    public FirestoreStore(int clients) {
        proxies = new Proxies(clients, server.port());
    }

    @Override
    public String url(int client) {
        return "firestore:127.0.0.1:" + proxies.port(client, server.port());
    }

    @Override
    public List<Fault> faults(FenceMode mode) {
        List<Fault> faults = new ArrayList<>(new NetworkFaults(proxies::all).all());
        faults.add(Fault.of("rpc-failed", strike -> plan(strike, false)));
        faults.add(Fault.of("reply-lost", strike -> plan(strike, true)));
        faults.add(Fault.of("never-answered", this::neverAnswered));
        faults.add(Fault.of("commit-late", this::late));
        faults.add(Fault.of("clock-skew", this::skew));
        if (mode == FenceMode.TIME_FLOORED) {
            faults.add(Fault.of("cleared", RedisDataLoss.EXCUSES, this::clear));
        }
        return faults;
    }

    private void plan(Strike strike, boolean executed) {
        Status.Code code = FAILURES.get(strike.draw(FAILURES.size()));
        String call = List.of("Commit", "Commit", "BatchGetDocuments", "BeginTransaction")
                .get(strike.draw(4));
        strike.begin("firestore", "", call + " " + code);
        if (executed) {
            server.loseReply("Commit", code, strike.between(5, 60));
        } else {
            server.fail(call, code, strike.between(5, 60));
        }
        strike.last(100, 500);
        server.clearFaults();
    }

    private void neverAnswered(Strike strike) {
        strike.begin("firestore");
        server.neverReply("Commit", strike.between(2, 20));
        strike.last(100, 900);
        server.clearFaults();
    }

    private void late(Strike strike) {
        strike.begin("firestore");
        server.delay("Commit", Duration.ofMillis(strike.between(100, 1500)), strike.between(2, 20));
        strike.last(100, 900);
        server.clearFaults();
    }

    /** The clients' clocks decide; one that is too far off is refused. */
    private void skew(Strike strike) {
        strike.begin("firestore");
        server.clockOffset(Duration.ofMillis(strike.between(-900, 900)));
        strike.last(100, 500);
        server.clockOffset(Duration.ZERO);
    }

    private void clear(Strike strike) {
        strike.begin("firestore");
        server.clear();
    }

    /** Three round trips, and its own repetitions. */
    @Override
    public Duration commandTimeout() {
        return Duration.ofMillis(2500);
    }

    @Override
    public void heal() {
        proxies.heal();
        server.clearFaults();
        server.clockOffset(Duration.ZERO);
    }

    @Override
    public Leftovers leftovers() {
        try {
            List<Leftovers.Lock> locks = new ArrayList<>();
            for (QueryDocumentSnapshot document :
                    direct.collection("locks").get().get().getDocuments()) {
                locks.add(new Leftovers.Lock(
                        String.valueOf(document.get("key")),
                        String.valueOf(document.get("lockId")),
                        document.get("expiresAtMs") instanceof Number expires ? expires.longValue() : 0));
            }
            int counters = direct.collection("fence_counters").get().get().size();
            return new Leftovers(locks, List.of(), counters);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        try {
            direct.close();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        } finally {
            proxies.close();
            server.close();
        }
    }
}
