package dev.syncguard.spring.boot;

import dev.syncguard.redis.RedisLockBackend;
import dev.syncguard.redis.RedisLockBackendBuilder;
import dev.syncguard.spi.LockBackend;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * A client of our own to the server of a connection factory: same address, credentials, TLS and threads. The factory's own
 * client queues commands while it is disconnected, which is right for most of what an application does and wrong for locks.
 */
final class RedisFactories {

    private static final Duration QUIET = Duration.ZERO;
    private static final Duration SHUTDOWN = Duration.ofSeconds(2);

    private RedisFactories() {}

    static BeanCandidates candidates(ConfigurableListableBeanFactory beans) {
        return BeanCandidates.of(beans, RedisConnectionFactory.class);
    }

    static LockBackend open(
            ConfigurableListableBeanFactory beans, String bean, Function<RedisLockBackendBuilder, LockBackend> build) {
        RedisConnectionFactory factory = beans.getBean(bean, RedisConnectionFactory.class);
        if (!(factory instanceof LettuceConnectionFactory lettuce)) {
            throw new BackendChoiceException(
                    "The connection factory '" + bean + "' is a "
                            + factory.getClass().getSimpleName() + "; locks need the Lettuce driver.",
                    "Use Lettuce (spring.data.redis.client-type=lettuce), or set syncguard.backend to a redis:// URL.");
        }
        return lettuce.isClusterAware() ? cluster(lettuce, build) : single(lettuce, build);
    }

    private static LockBackend single(
            LettuceConnectionFactory factory, Function<RedisLockBackendBuilder, LockBackend> build) {
        RedisURI address = RedisAddress.of(factory);
        LettuceClientConfiguration settings = factory.getClientConfiguration();
        RedisClient client = resources(settings)
                .map(resources -> RedisClient.create(resources, address))
                .orElseGet(() -> RedisClient.create(address));
        client.setOptions(
                rejecting(settings.getClientOptions().map(ClientOptions::mutate).orElseGet(ClientOptions::builder))
                        .build());
        return owned(client, () -> build.apply(RedisLockBackend.builder(client)));
    }

    private static LockBackend cluster(
            LettuceConnectionFactory factory, Function<RedisLockBackendBuilder, LockBackend> build) {
        List<RedisURI> nodes = RedisAddress.ofCluster(factory);
        LettuceClientConfiguration settings = factory.getClientConfiguration();
        RedisClusterClient client = resources(settings)
                .map(resources -> RedisClusterClient.create(resources, nodes))
                .orElseGet(() -> RedisClusterClient.create(nodes));
        ClusterClientOptions.Builder options = settings.getClientOptions()
                .map(given -> given instanceof ClusterClientOptions known
                        ? known.mutate()
                        : ClusterClientOptions.builder(given))
                .orElseGet(ClusterClientOptions::builder);
        rejecting(options);
        client.setOptions(options.build());
        return owned(client, () -> build.apply(RedisLockBackend.builder(client)));
    }

    private static Optional<ClientResources> resources(LettuceClientConfiguration settings) {
        return settings.getClientResources();
    }

    private static ClientOptions.Builder rejecting(ClientOptions.Builder options) {
        return options.autoReconnect(true).disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS);
    }

    private static LockBackend owned(AbstractRedisClient client, Supplier<LockBackend> open) {
        Runnable closing = () -> client.shutdown(QUIET, SHUTDOWN);
        try {
            return new OwnedBackend(open.get(), closing);
        } catch (Throwable e) {
            closing.run();
            throw e;
        }
    }
}
