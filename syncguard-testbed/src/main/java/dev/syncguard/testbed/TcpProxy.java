package dev.syncguard.testbed;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;

/** Stands between clients and a server on loopback, and does to their connections what networks do. */
public final class TcpProxy implements AutoCloseable {

    private static final int NEVER = Integer.MAX_VALUE;
    private static final int REPEAT_MILLIS = 2_000;

    private final ServerSocket listener;
    private volatile int targetPort;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final Set<Socket> finished = ConcurrentHashMap.newKeySet();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    private int held;
    private volatile long latencyNanos;
    private volatile boolean dropReplies;
    private volatile boolean holdRequests;
    private volatile boolean refuse;
    private volatile UnaryOperator<byte[]> replies = UnaryOperator.identity();
    private volatile int dripBytes;
    private volatile boolean repeatRequests;
    private final AtomicInteger cutAfter = new AtomicInteger(NEVER);

    private TcpProxy(int targetPort) {
        this.targetPort = targetPort;
        try {
            this.listener = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        start("accept", this::accept);
    }

    /**
     * Starts a proxy.
     *
     * @param targetPort the loopback port of the server
     * @return the running proxy
     */
    public static TcpProxy to(int targetPort) {
        return new TcpProxy(targetPort);
    }

    /**
     * Returns where clients connect to.
     *
     * @return a loopback port
     */
    public int port() {
        return listener.getLocalPort();
    }

    /**
     * Leads new connections to another server, as a name does that now stands for another address. Those that are open stay.
     *
     * @param targetPort the loopback port of that server
     */
    public void redirect(int targetPort) {
        this.targetPort = targetPort;
    }

    /**
     * Delays everything, in each direction.
     *
     * @param latency how long
     */
    public void latency(Duration latency) {
        latencyNanos = latency.toNanos();
    }

    /**
     * Swallows replies: the server executes, the client never learns of it. When this ends, all connections are reset,
     * because a stream that lost bytes and goes on exists in no network.
     *
     * @param drop whether to
     */
    public void dropReplies(boolean drop) {
        if (!drop) {
            reset();
        }
        dropReplies = drop;
    }

    /**
     * Keeps requests back; they are delivered, late, when this ends.
     *
     * @param hold whether to
     */
    public void holdRequests(boolean hold) {
        lock.lock();
        try {
            holdRequests = hold;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits until a request is kept back. */
    public void awaitHeldRequest() {
        lock.lock();
        try {
            while (held == 0) {
                changed.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Closes new connections at once.
     *
     * @param refuse whether to
     */
    public void refuseConnections(boolean refuse) {
        this.refuse = refuse;
    }

    /**
     * Changes what the server says, for example its version.
     *
     * @param change applied to each piece of data as it arrives
     */
    public void rewriteReplies(UnaryOperator<byte[]> change) {
        replies = change;
    }

    /**
     * Lets replies trickle: a few bytes a millisecond.
     *
     * @param bytes how many; 0 ends it
     */
    public void drip(int bytes) {
        dripBytes = bytes;
    }

    /**
     * Resets the connection that is about to pass on the byte of a reply with this number, counted from now: its client has
     * the beginning of a reply.
     *
     * @param bytes how many bytes still pass
     */
    public void cutAfter(int bytes) {
        cutAfter.set(bytes);
    }

    /**
     * Executes requests twice: a copy of each goes to the server over a connection of its own first, and its reply is thrown
     * away. For protocols whose requests stand for themselves.
     *
     * @param repeat whether to
     */
    public void repeatRequests(boolean repeat) {
        repeatRequests = repeat;
    }

    /** Resets all connections (RST): what is in flight is lost. */
    public void reset() {
        sockets.forEach(TcpProxy::abort);
    }

    /**
     * Ends all connections in an orderly manner (FIN), as a server does that kills a client or goes down, and with them
     * {@link #dropReplies}: what was swallowed stays lost, and new connections get their replies.
     */
    public void finish() {
        finished.addAll(sockets);
        sockets.clear();
        dropReplies = false;
        finished.forEach(TcpProxy::end);
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                if (refuse) {
                    abort(client);
                } else {
                    connect(client);
                }
            } catch (IOException e) {
                // The listener was closed, or the server is down: the client sees a closed connection.
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
            }
        }
    }

    private void connect(Socket client) throws IOException {
        Socket server;
        try {
            server = new Socket(InetAddress.getLoopbackAddress(), targetPort);
        } catch (IOException e) {
            abort(client);
            throw e;
        }
        client.setTcpNoDelay(true);
        server.setTcpNoDelay(true);
        sockets.add(client);
        sockets.add(server);
        start("requests", () -> pump(client, server, true));
        start("replies", () -> pump(server, client, false));
    }

    private void pump(Socket from, Socket to, boolean requests) {
        byte[] buffer = new byte[65_536];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                if (latencyNanos > 0) {
                    LockSupport.parkNanos(latencyNanos);
                }
                if (requests) {
                    awaitDelivery();
                    if (repeatRequests) {
                        repeat(Arrays.copyOf(buffer, n));
                    }
                    out.write(buffer, 0, n);
                } else if (!dropReplies && !finished.contains(to)) {
                    deliver(replies.apply(Arrays.copyOf(buffer, n)), out);
                }
            }
        } catch (IOException e) {
            // A reset, or the other side is gone: both ends are closed below.
        } finally {
            // A client that was told the end closes its side itself: a reset could overtake what it was told.
            if (requests || !finished.contains(to)) {
                abort(from);
                abort(to);
            }
        }
    }

    private void deliver(byte[] reply, OutputStream out) throws IOException {
        int before = cutAfter.get();
        if (before != NEVER && cutAfter.compareAndSet(before, before > reply.length ? before - reply.length : NEVER)) {
            out.write(reply, 0, Math.min(before, reply.length));
            if (before <= reply.length) {
                throw new IOException("cut");
            }
        } else if (dripBytes == 0) {
            out.write(reply);
        } else {
            drip(reply, out);
        }
    }

    private void drip(byte[] reply, OutputStream out) throws IOException {
        int at = 0;
        while (at < reply.length) {
            int step = dripBytes == 0 ? reply.length : dripBytes;
            int end = Math.min(reply.length, at + step);
            out.write(reply, at, end - at);
            at = end;
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }

    /** Waits for some reply, so that the copy is executed first. */
    private void repeat(byte[] request) {
        try (Socket copy = new Socket(InetAddress.getLoopbackAddress(), targetPort)) {
            copy.setSoTimeout(REPEAT_MILLIS);
            copy.getOutputStream().write(request);
            int unused = copy.getInputStream().read();
        } catch (IOException e) {
            // The server is down: then there is nothing to repeat.
        }
    }

    private void awaitDelivery() {
        lock.lock();
        try {
            held++;
            changed.signalAll();
            while (holdRequests && !listener.isClosed()) {
                changed.awaitUninterruptibly();
            }
        } finally {
            held--;
            lock.unlock();
        }
    }

    private static void end(Socket socket) {
        try {
            socket.shutdownOutput();
        } catch (IOException e) {
            // It is closed already.
        }
    }

    private static void abort(Socket socket) {
        try {
            socket.setSoLinger(true, 0);
            socket.close();
        } catch (IOException e) {
            // It is closed already.
        }
    }

    private static void start(String name, Runnable task) {
        Thread thread = new Thread(task, "tcp-proxy-" + name);
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() {
        try {
            listener.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        holdRequests(false);
        reset();
        finished.forEach(TcpProxy::abort);
    }
}
