package dev.syncguard.redis;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.spi.support.Settings;
import io.lettuce.core.RedisClient;
import io.lettuce.core.SslOptions;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import java.time.Duration;

/** Where connections come from. */
@FunctionalInterface
interface RedisSource {

    /** Connects to one server, or to what was given. */
    RedisLink link(Duration timeout, SslOptions tls);

    /** Connects to the cluster that the server of {@link #link} turned out to be part of. */
    default RedisLink clusterLink(Duration timeout, SslOptions tls) {
        throw new LockException(
                Code.INVALID_ARGUMENT,
                "this is a node of a cluster; give a RedisClusterClient, a cluster connection or a URL");
    }

    static RedisSource client(RedisClient client) {
        Settings.required("client", client);
        return (timeout, tls) -> {
            RedisOptions.refuseQueueing(client.getOptions());
            try {
                return OpenedLink.to(client, timeout);
            } catch (RuntimeException e) {
                throw RedisErrors.cannotConnect(e, "the server of this client", false);
            }
        };
    }

    static RedisSource client(RedisClusterClient client) {
        Settings.required("client", client);
        return (timeout, tls) -> {
            RedisOptions.refuseQueueing(client.getOptions());
            try {
                return OpenedLink.to(client, timeout, null);
            } catch (RuntimeException e) {
                throw RedisErrors.cannotConnect(e, "the cluster of this client", false);
            }
        };
    }

    static RedisSource connection(StatefulConnection<?, ?> connection) {
        Settings.required("connection", connection);
        return (timeout, tls) -> {
            RedisOptions.refuseQueueing(connection.getOptions());
            return new GivenLink(connection);
        };
    }
}
