package dev.syncguard.spring.boot;

import io.lettuce.core.RedisURI;
import io.lettuce.core.StaticCredentialsProvider;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration.StaticMasterReplicaConfiguration;
import org.springframework.data.redis.connection.RedisNode;
import org.springframework.data.redis.connection.RedisPassword;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisSocketConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.util.ReflectionUtils;

/** The address of a connection factory's server, as the driver writes it. */
final class RedisAddress {

    private RedisAddress() {}

    static RedisURI of(LettuceConnectionFactory factory) {
        refuseReplicas(factory);
        RedisSentinelConfiguration sentinel = factory.getSentinelConfiguration();
        if (sentinel != null) {
            return sentinel(factory, sentinel);
        }
        RedisSocketConfiguration socket = factory.getSocketConfiguration();
        RedisURI uri = new RedisURI();
        if (socket != null) {
            uri.setSocket(socket.getSocket());
            uri.setDatabase(socket.getDatabase());
            authenticate(uri, factory, socket, socket.getUsername(), socket.getPassword());
        } else {
            RedisStandaloneConfiguration single = factory.getStandaloneConfiguration();
            uri.setHost(single.getHostName());
            uri.setPort(single.getPort());
            uri.setDatabase(single.getDatabase());
            authenticate(uri, factory, single, single.getUsername(), single.getPassword());
        }
        return secured(uri, factory);
    }

    static List<RedisURI> ofCluster(LettuceConnectionFactory factory) {
        RedisClusterConfiguration cluster = factory.getClusterConfiguration();
        List<RedisURI> nodes = new ArrayList<>();
        if (cluster != null) {
            for (RedisNode node : cluster.getClusterNodes()) {
                RedisURI uri = at(node);
                authenticate(uri, factory, cluster, cluster.getUsername(), cluster.getPassword());
                nodes.add(secured(uri, factory));
            }
        }
        return nodes;
    }

    private static RedisURI sentinel(LettuceConnectionFactory factory, RedisSentinelConfiguration sentinel) {
        RedisURI uri = new RedisURI();
        if (sentinel.getMaster() != null) {
            uri.setSentinelMasterId(sentinel.getMaster().getName());
        }
        uri.setDatabase(sentinel.getDatabase());
        authenticate(uri, factory, sentinel, sentinel.getUsername(), sentinel.getPassword());
        for (RedisNode node : sentinel.getSentinels()) {
            RedisURI watcher = at(node);
            authenticate(watcher, sentinel.getSentinelUsername(), sentinel.getSentinelPassword());
            uri.getSentinels().add(secured(watcher, factory));
        }
        return secured(uri, factory);
    }

    private static RedisURI at(RedisNode node) {
        RedisURI uri = new RedisURI();
        uri.setHost(node.getHost());
        uri.setPort(node.getPort() == null ? RedisURI.DEFAULT_REDIS_PORT : node.getPort());
        return uri;
    }

    private static void authenticate(
            RedisURI uri,
            LettuceConnectionFactory factory,
            RedisConfiguration server,
            @Nullable String user,
            RedisPassword password) {
        factory.getClientConfiguration()
                .getRedisCredentialsProviderFactory()
                .ifPresentOrElse(
                        credentials -> uri.setCredentialsProvider(credentials.createCredentialsProvider(server)),
                        () -> authenticate(uri, user, password));
    }

    private static void authenticate(RedisURI uri, @Nullable String user, RedisPassword password) {
        String name = user == null || user.isEmpty() ? null : user;
        // Of all ways to set a password, the only one that every supported driver has.
        password.toOptional()
                .ifPresent(secret -> uri.setCredentialsProvider(new StaticCredentialsProvider(name, secret)));
    }

    private static RedisURI secured(RedisURI uri, LettuceConnectionFactory factory) {
        LettuceClientConfiguration settings = factory.getClientConfiguration();
        uri.setSsl(settings.isUseSsl());
        uri.setVerifyPeer(settings.getVerifyMode());
        uri.setStartTls(settings.isStartTls());
        settings.getClientName().ifPresent(uri::setClientName);
        uri.setTimeout(settings.getCommandTimeout());
        return uri;
    }

    /** Such a factory answers the question for its address with localhost, and there is no method that tells it from others. */
    private static void refuseReplicas(LettuceConnectionFactory factory) {
        Field configuration =
                ReflectionUtils.findField(LettuceConnectionFactory.class, "configuration", RedisConfiguration.class);
        if (configuration == null) {
            return;
        }
        ReflectionUtils.makeAccessible(configuration);
        if (ReflectionUtils.getField(configuration, factory) instanceof StaticMasterReplicaConfiguration) {
            throw new BackendChoiceException(
                    "The connection factory has a fixed list of a primary and replicas, which does not follow a failover.",
                    "Set syncguard.backend to the redis:// URL of the primary, or use Sentinel.");
        }
    }
}
