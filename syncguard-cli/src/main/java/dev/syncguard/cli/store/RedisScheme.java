package dev.syncguard.cli.store;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.redis.RedisLockBackend;
import dev.syncguard.redis.RedisLockBackendBuilder;
import dev.syncguard.spi.LockBackend;
import org.jspecify.annotations.Nullable;

/** {@code redis://}, {@code rediss://}, {@code redis-sentinel://} and {@code redis-cluster://}. */
final class RedisScheme {

    private RedisScheme() {}

    static LockBackend open(StoreAddress address) {
        DriverLogs.silence();
        if (!address.scheme().equals("redis-cluster")) {
            return connect(address.withPassword(), address.prefix());
        }
        return cluster(address);
    }

    /** Any node will do, the first that answers: the backend finds out by itself that it is a cluster. */
    private static LockBackend cluster(StoreAddress address) {
        String url = address.withPassword();
        int start = url.lastIndexOf('@') >= 0 ? url.lastIndexOf('@') + 1 : url.indexOf("://") + 3;
        String user = url.substring(url.indexOf("://") + 3, start);
        LockException failure = new LockException(Code.INVALID_ARGUMENT, "redis-cluster:// needs a host");
        for (String node : url.substring(start).split(",", -1)) {
            if (!node.isEmpty()) {
                try {
                    return connect("redis://" + user + node, address.prefix());
                } catch (LockException e) {
                    failure = e;
                }
            }
        }
        throw failure;
    }

    private static LockBackend connect(String url, @Nullable String prefix) {
        RedisLockBackendBuilder builder = RedisLockBackend.builder(url);
        return (prefix == null ? builder : builder.keyPrefix(prefix)).build();
    }
}
