package dev.syncguard.redis;

import dev.syncguard.spi.support.InterruptShield;
import dev.syncguard.spi.support.Settings;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SslOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Connections of our own to an address. Credentials may be part of it, so messages show hosts and ports only. */
final class RedisUrl implements RedisSource {

    private final RedisURI uri;

    RedisUrl(String url) {
        RedisUrlSyntax.check(Settings.required("url", url));
        try {
            uri = RedisURI.create(url);
        } catch (RuntimeException e) {
            throw RedisUrlSyntax.invalid();
        }
    }

    @Override
    public RedisLink link(Duration timeout, SslOptions tls) {
        return open(timeout, resources -> {
            RedisClient client = new QuickClient(resources, uri);
            client.setOptions(RedisOptions.single(timeout, tls));
            return connect(client, timeout, () -> OpenedLink.to(client, uri, () -> shutdown(client, resources)));
        });
    }

    @Override
    public RedisLink clusterLink(Duration timeout, SslOptions tls) {
        return open(timeout, resources -> {
            RedisClusterClient client = RedisClusterClient.create(resources, uri);
            client.setOptions(RedisOptions.cluster(timeout, tls));
            return connect(client, timeout, () -> OpenedLink.to(client, timeout, () -> shutdown(client, resources)));
        });
    }

    private RedisLink open(Duration timeout, Function<ClientResources, RedisLink> connect) {
        uri.setTimeout(timeout);
        ClientResources resources = RedisOptions.resources(timeout);
        try {
            return connect.apply(resources);
        } catch (RuntimeException e) {
            var unused = resources.shutdown(0, 1, TimeUnit.SECONDS);
            throw e;
        }
    }

    private RedisLink connect(AbstractRedisClient client, Duration timeout, Supplier<RedisLink> connect) {
        long start = System.nanoTime();
        try {
            return connect.get();
        } catch (RuntimeException e) {
            var unused = client.shutdownAsync(0, 1, TimeUnit.SECONDS);
            throw RedisErrors.cannotConnect(e, where(), System.nanoTime() - start > timeout.toNanos());
        }
    }

    private String where() {
        if (uri.getSentinels().isEmpty()) {
            return uri.getSocket() == null ? uri.getHost() + ":" + uri.getPort() : uri.getSocket();
        }
        return uri.getSentinels().stream()
                .map(sentinel -> sentinel.getHost() + ":" + sentinel.getPort())
                .collect(Collectors.joining(",", "the primary '" + uri.getSentinelMasterId() + "' by sentinels ", ""));
    }

    private static void shutdown(AbstractRedisClient client, ClientResources resources) {
        try {
            InterruptShield.get(client.shutdownAsync(0, 1, TimeUnit.SECONDS), TimeUnit.SECONDS.toNanos(3));
        } catch (ExecutionException | TimeoutException e) {
            System.getLogger("dev.syncguard")
                    .log(System.Logger.Level.DEBUG, "a connection was not closed in time: {0}", e.getMessage());
        }
        var unused = resources.shutdown(0, 1, TimeUnit.SECONDS);
    }
}
