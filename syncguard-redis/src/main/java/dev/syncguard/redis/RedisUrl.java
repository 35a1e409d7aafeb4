package dev.syncguard.redis;

import dev.syncguard.spi.support.Settings;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SslOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import java.time.Duration;
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
        return open(timeout, own -> {
            RedisClient client = new QuickClient(own.resources(), uri);
            client.setOptions(RedisOptions.single(timeout, tls));
            return connect(client, own, timeout, () -> OpenedLink.to(client, uri, () -> own.shutdown(client)));
        });
    }

    @Override
    public RedisLink clusterLink(Duration timeout, SslOptions tls) {
        return open(timeout, own -> {
            RedisClusterClient client = RedisClusterClient.create(own.resources(), uri);
            client.setOptions(RedisOptions.cluster(timeout, tls));
            return connect(client, own, timeout, () -> OpenedLink.to(client, timeout, () -> own.shutdown(client)));
        });
    }

    private RedisLink open(Duration timeout, Function<OwnResources, RedisLink> connect) {
        uri.setTimeout(timeout);
        OwnResources own = OwnResources.create(timeout);
        try {
            return connect.apply(own);
        } catch (RuntimeException e) {
            own.release();
            throw e;
        }
    }

    private RedisLink connect(
            AbstractRedisClient client, OwnResources own, Duration timeout, Supplier<RedisLink> connect) {
        long start = System.nanoTime();
        try {
            return connect.get();
        } catch (RuntimeException e) {
            var unused = own.close(client);
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
}
