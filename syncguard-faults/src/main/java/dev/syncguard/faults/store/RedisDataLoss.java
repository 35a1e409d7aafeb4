package dev.syncguard.faults.store;

import dev.syncguard.faults.nemesis.Fault;
import dev.syncguard.faults.nemesis.Strike;
import dev.syncguard.testbed.RedisServer;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Data that a Redis server loses. Locks may then be granted twice; fences must hold all the same. */
public final class RedisDataLoss {

    /** What a loss of data breaks where fences are floored by time: everything but their order and the resource. */
    public static final List<String> EXCUSES = List.of("I2", "I4", "I5", "I6", "I9", "I10");

    private final RedisServer server;

    /**
     * Prepares them.
     *
     * @param server whose data gets lost
     */
    public RedisDataLoss(RedisServer server) {
        this.server = server;
    }

    List<Fault> all() {
        return List.of(
                Fault.of("flush", EXCUSES, this::flush),
                Fault.of("lock-deleted", List.of("I2", "I4", "I5", "I9", "I10"), this::deleteLock),
                Fault.of("lost-tail", EXCUSES, this::lostTail),
                Fault.of("eviction", EXCUSES, this::eviction));
    }

    /** Deletes everything. */
    public void flush(Strike strike) {
        strike.begin("redis");
        server.command("FLUSHALL");
        strike.last(1, 5);
    }

    /** One lock is gone, its index entry is not: whoever had it must not prolong that of the next holder. */
    private void deleteLock(Strike strike) {
        String key = "zq7:beat-" + strike.draw(6);
        strike.begin("redis", key, "");
        server.command("DEL", "syncguard:" + key);
        strike.last(1, 5);
    }

    /** A crash that loses the end of the append-only file. */
    private void lostTail(Strike strike) {
        strike.begin("redis");
        server.kill();
        cut(strike.between(50, 20_000));
        server.restart();
    }

    private void cut(int bytes) {
        try (Stream<Path> files = Files.walk(server.directory())) {
            for (Path file :
                    files.filter(name -> name.toString().endsWith(".incr.aof")).toList()) {
                try (RandomAccessFile log = new RandomAccessFile(file.toFile(), "rw")) {
                    log.setLength(Math.max(0, log.length() - bytes));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A server that is too small, and throws away what it likes. */
    private void eviction(Strike strike) {
        strike.begin("redis");
        server.command("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
        server.command("CONFIG", "SET", "maxmemory", "1");
        strike.last(20, 100);
        server.command("CONFIG", "SET", "maxmemory", "0");
        server.command("CONFIG", "SET", "maxmemory-policy", "noeviction");
    }
}
