package dev.syncguard.benchmarks.redis;

import dev.syncguard.benchmarks.harness.Candidate;
import dev.syncguard.testbed.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;

/** Two round trips that do nothing. */
final class PingFloor implements Candidate {

    private final RedisClient client;
    private final RedisCommands<String, String> sync;

    PingFloor(RedisServer server) {
        client = RedisClient.create(server.url());
        sync = client.connect().sync();
    }

    @Override
    public void locked(String key, Runnable body) {
        sync.ping();
        body.run();
        sync.ping();
    }

    @Override
    public void close() {
        client.shutdown();
    }
}
