package dev.syncguard.redis;

import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.resource.ClientResources;
import java.util.Optional;
import java.util.SortedMap;

/** How commands reach the server: over connections that we open, or over one that we were given. */
interface RedisLink extends AutoCloseable {

    /** The connection of all commands but those below; on a cluster it finds the node by the first key. */
    StatefulConnection<String, String> commands();

    /** Whether commands find their node by themselves. */
    boolean isCluster();

    /** The connections to all masters, by the id of the node. */
    SortedMap<String, StatefulConnection<String, String>> masters();

    /** Opens further connections, if that is possible. */
    Optional<Opener> opener();

    ClientResources resources();

    /** Closes what was opened here. */
    @Override
    void close();

    /** Opens further connections; they are closed with the link. */
    interface Opener {

        /** Opens a connection for commands; blocks until it stands. */
        StatefulConnection<String, String> open();

        /** Opens a connection for subscriptions; blocks until it stands. */
        StatefulRedisPubSubConnection<String, String> openPubSub();

        /** Runs something whenever a connection of the client went down. */
        void onDisconnect(Runnable action);
    }
}
