package dev.syncguard.benchmarks.zookeeper;

import dev.syncguard.benchmarks.harness.Candidate;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.retry.ExponentialBackoffRetry;

/** Curator's InterProcessMutex. */
final class CuratorCandidate implements Candidate {

    static final String NAME = "curator InterProcessMutex";

    private final CuratorFramework client;
    private final Map<String, InterProcessMutex> mutexes = new ConcurrentHashMap<>();

    CuratorCandidate(String address) {
        client = CuratorFrameworkFactory.newClient(address, new ExponentialBackoffRetry(1000, 3));
        client.start();
    }

    @Override
    public void locked(String key, Runnable body) throws Exception {
        InterProcessMutex mutex = mutexes.computeIfAbsent(key, name -> new InterProcessMutex(client, "/locks/" + name));
        mutex.acquire();
        try {
            body.run();
        } finally {
            mutex.release();
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
