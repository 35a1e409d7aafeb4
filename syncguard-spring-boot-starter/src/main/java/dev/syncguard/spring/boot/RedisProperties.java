package dev.syncguard.spring.boot;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * The properties of locks in Redis.
 *
 * @param keyPrefix How all keys of the locks begin. "syncguard" if not set.
 * @param replicaAcks How many replicas must have a grant before it counts. 0 if not set.
 * @param sslBundle Name of the SSL bundle with what TLS trusts and presents, for a rediss URL.
 */
@ConfigurationProperties("syncguard.redis")
record RedisProperties(
        @Nullable String keyPrefix,
        @Nullable Integer replicaAcks,
        @Nullable String sslBundle) {}
