package dev.syncguard.redis;

import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.resource.ClientResources;
import java.util.Optional;
import java.util.SortedMap;

/** One connection of the application. It stays open, and nothing can be opened beside it. */
final class GivenLink implements RedisLink {

    private final StatefulConnection<String, String> connection;

    /** Our commands bring their own codec, so that the connection's does not matter. */
    @SuppressWarnings("unchecked")
    GivenLink(StatefulConnection<?, ?> connection) {
        this.connection = (StatefulConnection<String, String>) connection;
    }

    @Override
    public StatefulConnection<String, String> commands() {
        return connection;
    }

    @Override
    public boolean isCluster() {
        return connection instanceof StatefulRedisClusterConnection;
    }

    @Override
    public SortedMap<String, StatefulConnection<String, String>> masters() {
        return RedisOptions.masters(connection);
    }

    @Override
    public Optional<Opener> opener() {
        return Optional.empty();
    }

    @Override
    public ClientResources resources() {
        return connection.getResources();
    }

    @Override
    public void close() {}
}
