package dev.syncguard.testbed.firestore;

import io.grpc.Server;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * A stand-in for Firestore on a free loopback port, in this JVM, for the official clients: point their emulator host at
 * {@link #hostAndPort()}. It keeps the documented semantics of transactions, queries and listeners; it has no indexes, no
 * security rules, no quotas, and one database of one project.
 *
 * <p>Calls are named as in the protocol, for example {@code "Commit"}. Faults meet the next calls of a name in the order
 * in which they were asked for.
 */
public final class FirestoreServer implements AutoCloseable {

    private static final String PROJECT = "syncguard-test";
    private static final Duration FOREVER = Duration.ofHours(1);
    private static final int MAX_REQUEST_BYTES = 11 * 1024 * 1024;

    private final String projectId;
    private final Database database;
    private final Faults faults = new Faults();
    private final ExecutorService calls = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "firestore-server");
        thread.setDaemon(true);
        return thread;
    });
    private final Server server;

    private FirestoreServer(String projectId, boolean optimistic) {
        this.projectId = projectId;
        this.database = new Database(optimistic);
        this.server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .executor(calls)
                .addService(new FirestoreService(projectId, database))
                .intercept(faults)
                .maxInboundMessageSize(MAX_REQUEST_BYTES)
                .permitKeepAliveTime(1, TimeUnit.SECONDS)
                .permitKeepAliveWithoutCalls(true)
                .build();
        try {
            server.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Starts a server for the project {@code syncguard-test}.
     *
     * @return the running server
     */
    public static FirestoreServer start() {
        return start(PROJECT);
    }

    /**
     * Starts a server.
     *
     * @param projectId its only project; callers of another are told that they lack permission
     * @return the running server
     */
    public static FirestoreServer start(String projectId) {
        return new FirestoreServer(projectId, false);
    }

    /**
     * Starts a server for the same project whose concurrency mode is optimistic: transactions lock nothing, and a commit is
     * aborted if what its transaction read has changed.
     *
     * @return the running server
     */
    public static FirestoreServer startOptimistic() {
        return new FirestoreServer(PROJECT, true);
    }

    /**
     * Returns the address.
     *
     * @return host and port, joined by a colon
     */
    public String hostAndPort() {
        return "127.0.0.1:" + port();
    }

    /**
     * Returns the port, for a {@link dev.syncguard.testbed.TcpProxy} that cuts connections.
     *
     * @return the port on 127.0.0.1
     */
    public int port() {
        return server.getPort();
    }

    /**
     * Returns the project.
     *
     * @return its id
     */
    public String projectId() {
        return projectId;
    }

    /** Deletes all documents and ends all transactions. */
    public void clear() {
        database.clear();
    }

    /**
     * Moves the server's clock, which gives read, update and commit times and lets transactions expire. Between two moves
     * its times strictly increase; a move backwards makes it give earlier times than before.
     *
     * @param offset how far it is then ahead of this machine's clock
     */
    public void clockOffset(Duration offset) {
        database.clockOffset(offset);
    }

    /**
     * Sets how long a commit waits for locks, before it is aborted; at first that is two seconds.
     *
     * @param limit how long
     */
    public void lockLimit(Duration limit) {
        database.lockLimit(limit);
    }

    /**
     * Returns how many calls there were, whatever became of them. A stream is one call.
     *
     * @return the numbers by name; a call that never came is absent
     */
    public Map<String, Integer> counts() {
        return faults.counts();
    }

    /** Starts to count anew. */
    public void clearCounts() {
        faults.clearCounts();
    }

    /**
     * Refuses the next calls without executing them.
     *
     * @param rpc the name of the call
     * @param code the answer
     * @param times how many calls
     */
    public void fail(String rpc, Status.Code code, int times) {
        faults.plan(rpc, times, new Fault.Refusal(fault(code)));
    }

    /**
     * Executes the next calls, but answers as if they had failed.
     *
     * @param rpc the name of the call
     * @param code the answer in place of a success
     * @param times how many calls
     */
    public void loseReply(String rpc, Status.Code code, int times) {
        faults.plan(rpc, times, new Fault.LostReply(fault(code)));
    }

    /**
     * Executes the next calls, but never answers those that succeed.
     *
     * @param rpc the name of the call
     * @param times how many calls
     */
    public void neverReply(String rpc, int times) {
        faults.plan(rpc, times, new Fault.LostReply(null));
    }

    /**
     * Executes the next calls late.
     *
     * @param rpc the name of the call
     * @param delay how late
     * @param times how many calls
     */
    public void delay(String rpc, Duration delay, int times) {
        faults.plan(rpc, times, new Fault.Hold(new HeldCall(), delay));
    }

    /**
     * Keeps the next call back until it is released.
     *
     * @param rpc the name of the call
     * @return that call
     */
    public HeldCall hold(String rpc) {
        HeldCall held = new HeldCall();
        faults.plan(rpc, 1, new Fault.Hold(held, FOREVER));
        return held;
    }

    /** Forgets the faults that met no call yet. */
    public void clearFaults() {
        faults.clear();
    }

    private static Status fault(Status.Code code) {
        return code.toStatus().withDescription("A fault of the test bed.");
    }

    /** Ends the server and its connections. */
    @Override
    public void close() {
        server.shutdownNow();
        calls.shutdownNow();
    }
}
