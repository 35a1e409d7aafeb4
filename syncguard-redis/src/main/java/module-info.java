/** Locks in Redis and Valkey: standalone, Sentinel, Cluster. */
module dev.syncguard.redis {
    requires transitive dev.syncguard.core;
    requires transitive lettuce.core;
    requires io.netty.buffer;
    requires io.netty.common;
    requires io.netty.handler;
    requires io.netty.resolver.dns; // Lettuce needs it, but as an automatic module cannot say so
    requires io.netty.transport;
    requires static transitive org.jspecify;

    exports dev.syncguard.redis;
}
