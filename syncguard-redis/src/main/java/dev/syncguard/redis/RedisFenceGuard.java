package dev.syncguard.redis;

import dev.syncguard.Fence;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.fence.FenceGuard;
import dev.syncguard.fence.StaleFenceException;
import dev.syncguard.spi.support.Settings;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Refuses a stale writer to Redis in the same script as its write.
 *
 * <pre>{@code
 * RedisFenceGuard fences = RedisFenceGuard.on(connection);
 *
 * fences.set("account:7", json, lease.fence());   // throws a StaleFenceException, and nothing is written
 * }</pre>
 *
 * <p>The fence of a key stands in a key beside it, in the same slot of a cluster, and never ends: {@code
 * syncguard-fence:{KEY}}, or {@code KEY:syncguard-fence} if the key has a hash tag. Writers that do not use the guard are not
 * stopped. What a script writes is as safe as the server keeps it: a server that loses data loses fences, too.
 *
 * <p>Every method is one script and one round trip, within the timeout of the connection, and is executed at most once. If
 * its reply is lost, the exception says that the outcome is unknown: repeat it with the same fence.
 */
public final class RedisFenceGuard implements FenceGuard {

    /** In command timeouts, as where connections are opened by a backend. */
    private static final int LONGEST_CONNECT = 5;

    private final RedisExecutor executor;
    private final AsyncRedisFenceGuard async;

    private RedisFenceGuard(StatefulConnection<?, ?> connection) {
        DriverVersion.check();
        // A script that was executed and is sent again would be a second write, or a refusal of one that was accepted.
        RedisOptions.refuseQueueing(Settings.required("connection", connection).getOptions());
        RedisTimeouts timeouts = new RedisTimeouts(
                connection.getTimeout(), connection.getResources().eventExecutorGroup());
        GivenLink link = new GivenLink(connection);
        if (link.isCluster()) {
            connect(link, connection.getTimeout());
        }
        executor = new RedisExecutor(link.commands(), timeouts, connection.getTimeout());
        async = new AsyncRedisFenceGuard(executor);
    }

    /** To all primaries: until then the driver rejects commands, too. */
    private static void connect(GivenLink link, Duration timeout) {
        try {
            BoundedCall.run(link::masters, timeout.multipliedBy(LONGEST_CONNECT));
        } catch (RuntimeException e) {
            throw RedisErrors.cannotConnect(e, "the cluster of this connection", false);
        }
    }

    /**
     * Creates a guard on a connection of the application, with any codec. Keys and values are UTF-8. It stays open; do not use
     * it for transactions meanwhile.
     *
     * @param connection the connection, of a client that rejects commands while disconnected
     * @return a guard that any thread may use
     * @throws LockException with {@link Code#INVALID_ARGUMENT} if its client would send a command again after a reconnect:
     *     set {@code ClientOptions.disconnectedBehavior(REJECT_COMMANDS)}
     */
    public static RedisFenceGuard on(StatefulRedisConnection<?, ?> connection) {
        return new RedisFenceGuard(connection);
    }

    /**
     * Creates a guard on a cluster connection of the application; see {@link #on(StatefulRedisConnection)}. Connects to all
     * primaries.
     *
     * @param connection the connection
     * @return a guard that any thread may use
     * @throws LockException as there, or if a primary cannot be reached
     */
    public static RedisFenceGuard on(StatefulRedisClusterConnection<?, ?> connection) {
        return new RedisFenceGuard(connection);
    }

    /**
     * Returns the same operations without a blocked thread.
     *
     * @return the asynchronous view
     */
    public AsyncRedisFenceGuard async() {
        return async;
    }

    /**
     * Checks alone, without a write. For work outside of Redis: between this and the work another holder may come.
     *
     * @throws LockException if the server failed
     */
    @Override
    public void advance(String resource, Fence fence) {
        executor.await(RedisFenceRequests.advance(resource, fence));
    }

    @Override
    public Optional<Fence> highest(String resource) {
        return executor.await(RedisFenceRequests.highest(resource));
    }

    /**
     * Sets a key, unless a newer fence was accepted for it. As with a plain {@code SET}, it then has no time to live.
     *
     * @param key the key, 1 to 512 bytes
     * @param value what to write
     * @param fence the fence of the writer's lease
     * @throws StaleFenceException if a newer fence was accepted before; nothing is written
     * @throws LockException with {@link Code#INVALID_ARGUMENT} if an argument is not allowed, or if the server failed
     */
    public void set(String key, String value, Fence fence) {
        executor.await(RedisFenceRequests.set(key, value, fence));
    }

    /**
     * Sets fields of a hash, unless a newer fence was accepted for it.
     *
     * @param key the key, 1 to 512 bytes
     * @param fields what to write
     * @param fence the fence of the writer's lease
     * @throws StaleFenceException if a newer fence was accepted before; nothing is written
     * @throws LockException as {@link #set}
     */
    public void hset(String key, Map<String, String> fields, Fence fence) {
        executor.await(RedisFenceRequests.hset(key, fields, fence));
    }

    /**
     * Deletes a key, unless a newer fence was accepted for it. Its fence stays.
     *
     * @param key the key, 1 to 512 bytes
     * @param fence the fence of the writer's lease
     * @return whether there was such a key
     * @throws StaleFenceException if a newer fence was accepted before; nothing is deleted
     * @throws LockException as {@link #set}
     */
    public boolean del(String key, Fence fence) {
        return executor.await(RedisFenceRequests.del(key, fence));
    }

    /**
     * Runs a script of the application, unless a newer fence was accepted for its first key.
     *
     * @param script the script
     * @param keys its keys; the first one is fenced, and on a cluster all share its slot
     * @param arguments its arguments
     * @param fence the fence of the writer's lease
     * @return what the script returned: texts and whole numbers, those of nested tables in one row; empty if it returned
     *     nothing
     * @throws StaleFenceException if a newer fence was accepted before; nothing of the script is executed
     * @throws LockException as {@link #set}
     */
    public List<Object> run(FencedScript script, List<String> keys, List<String> arguments, Fence fence) {
        return executor.await(RedisFenceRequests.run(script, keys, arguments, fence));
    }
}
