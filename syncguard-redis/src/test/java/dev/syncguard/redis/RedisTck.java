package dev.syncguard.redis;

import dev.syncguard.spi.LockBackend;
import dev.syncguard.tck.LockBackendTck;
import dev.syncguard.tck.StoreProbe;
import dev.syncguard.testbed.TcpProxy;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;

/** The whole contract on one deployment of Redis. */
abstract class RedisTck<S extends AutoCloseable> extends LockBackendTck {

    private final S servers;
    private final RedisClient client;
    private final RedisProbe probe;

    /**
     * For one deployment.
     *
     * @param servers closed at the end
     * @param probed where the probe looks: one server
     */
    RedisTck(S servers, Function<S, RedisURI> probed) {
        this.servers = servers;
        this.client = RedisClient.create(probed.apply(servers));
        this.probe = new RedisProbe(client.connect().sync(), new RedisKeys("syncguard", false));
    }

    S servers() {
        return servers;
    }

    abstract RedisLockBackendBuilder builder();

    @Override
    protected LockBackend createBackend() {
        return builder().build();
    }

    @Override
    protected LockBackend createCleaningBackend() {
        return builder().cleanupInIsLocked(true).build();
    }

    @Override
    protected StoreProbe store() {
        return probe;
    }

    /** Connected to a server that answers no more. */
    @Override
    protected LockBackend createUnreachableBackend() {
        Redis server = Redis.get();
        TcpProxy proxy = TcpProxy.to(server.port());
        LockBackend backend = RedisLockBackend.connect("redis://127.0.0.1:" + proxy.port());
        proxy.close();
        return backend;
    }

    @AfterAll
    void stop() throws Exception {
        client.shutdown();
        servers.close();
    }
}
