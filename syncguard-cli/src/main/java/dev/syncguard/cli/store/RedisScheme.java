package dev.syncguard.cli.store;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.redis.RedisLockBackend;
import dev.syncguard.redis.RedisLockBackendBuilder;
import dev.syncguard.spi.LockBackend;
import io.lettuce.core.SslOptions;
import java.io.File;
import java.util.Locale;
import java.util.Map;

/**
 * {@code redis://}, {@code redis-sentinel://} and {@code redis-cluster://}, and with TLS {@code rediss://},
 * {@code rediss-sentinel://} and {@code rediss-cluster://}.
 */
final class RedisScheme {

    /**
     * For a client that lives for seconds: recording events for JFR would take a third of its start (the JDK then rewrites each
     * class of events), looking for a network card to make up an id is of no use, and a pool of buffers only takes memory.
     */
    private static final Map<String, String> LEAN = Map.of(
            "io.lettuce.core.jfr", "false",
            "io.netty.jfr.enabled", "false",
            "io.netty.machineId", "00:00:00:00:00:00:00:01",
            "io.netty.allocator.type", "unpooled");

    private final StoreAddress address;
    private final StoreSettings settings;

    private RedisScheme(StoreAddress address) {
        this.address = address;
        this.settings = address.settings();
    }

    static LockBackend open(StoreAddress address) {
        DriverLogs.silence();
        LEAN.forEach((name, value) -> System.getProperties().putIfAbsent(name, value));
        return new RedisScheme(address).open();
    }

    private LockBackend open() {
        boolean isSecure = address.scheme().startsWith("rediss");
        if (!isSecure && (settings.has(StoreSetting.TLS_CA) || settings.has(StoreSetting.TLS_VERIFY))) {
            throw new LockException(Code.INVALID_ARGUMENT, "--tls-ca and --tls-verify need TLS: use rediss://");
        }
        if (address.user() != null && address.effectivePassword() == null) {
            // The driver would take it for a password, and everything here for what may be shown and inherited.
            throw new LockException(
                    Code.INVALID_ARGUMENT,
                    "the URL has a user and no password: give that in SYNCGUARD_PASSWORD or --password-file, and a"
                            + " password without a user as redis://:password@host");
        }
        String url = address.withPassword();
        return address.scheme().endsWith("-cluster") ? cluster(url, isSecure ? "rediss://" : "redis://") : connect(url);
    }

    /** Any node will do, the first that answers: the backend finds out by itself that it is a cluster. */
    private LockBackend cluster(String url, String scheme) {
        int start = url.lastIndexOf('@') >= 0 ? url.lastIndexOf('@') + 1 : url.indexOf("://") + 3;
        String user = url.substring(url.indexOf("://") + 3, start);
        int question = url.indexOf('?', start) < 0 ? url.length() : url.indexOf('?', start);
        LockException failure = new LockException(Code.INVALID_ARGUMENT, "redis-cluster:// needs a host");
        for (String node : url.substring(start, question).split(",", -1)) {
            if (!node.isEmpty()) {
                try {
                    return connect(scheme + user + node + url.substring(question));
                } catch (LockException e) {
                    failure = e;
                }
            }
        }
        throw failure;
    }

    private LockBackend connect(String url) {
        RedisLockBackendBuilder builder = RedisLockBackend.builder(verified(url));
        settings.ifSet(StoreSetting.PREFIX, builder::keyPrefix);
        settings.ifSet(StoreSetting.REPLICA_ACKS, replicas -> builder.replicaAcks(Integer.parseInt(replicas)));
        settings.ifSet(
                StoreSetting.TLS_CA,
                file -> builder.tls(
                        SslOptions.builder().trustManager(new File(file)).build()));
        settings.fenceMode(builder::fenceMode);
        settings.commandTimeout(builder::commandTimeout);
        return builder.build();
    }

    /** The driver has a parameter for this; before the name of a sentinel's primary. A CA that is named always counts. */
    private String verified(String url) {
        boolean isIgnored = settings.has(StoreSetting.TLS_CA)
                && url.toLowerCase(Locale.ROOT).contains("verifypeer=none");
        String what = settings.get(StoreSetting.TLS_VERIFY, isIgnored ? "full" : "");
        if (what.isEmpty()) {
            return url;
        }
        int end = url.indexOf('#') < 0 ? url.length() : url.indexOf('#');
        String bare = url.substring(0, end)
                .replaceAll("(?<=[?&])verifyPeer=[^&]*(&|$)", "")
                .replaceAll("[?&]$", "");
        String separator = bare.indexOf('?') < 0 ? "?" : "&";
        return bare + separator + "verifyPeer=" + what.toUpperCase(Locale.ROOT) + url.substring(end);
    }
}
