package dev.syncguard.redis;

import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import dev.syncguard.spi.LockBackend;
import dev.syncguard.tck.LockBackendTck;
import dev.syncguard.tck.StoreProbe;
import dev.syncguard.testbed.RedisCluster;
import dev.syncguard.testbed.RedisServer;
import io.lettuce.core.cluster.RedisClusterClient;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DisplayName;

/** Found by a plain {@code redis://} URL of one node, as the user of the documentation. */
@DisplayName("the contract on a cluster")
class RedisClusterTckTest extends LockBackendTck {

    /** The line of the documentation. */
    private static final String[] LINE = {
        "ACL",
        "SETUSER",
        "locks",
        "reset",
        "on",
        ">s3cret",
        "~{syncguard:*",
        "resetchannels",
        "&{syncguard:*",
        "+eval",
        "+evalsha",
        "+time",
        "+get",
        "+set",
        "+del",
        "+incr",
        "+pexpire",
        "+publish",
        "+spublish",
        "+ssubscribe",
        "+sunsubscribe",
        "+scan",
        "+info",
        "+ping",
        "+cluster|nodes",
        "+cluster|info",
        "+cluster|myid"
    };

    private final RedisCluster cluster = RedisCluster.start();
    private final RedisClusterClient client = RedisClusterClient.create(cluster.url());
    private final RedisProbe probe = new RedisProbe(client.connect().sync(), new RedisKeys("syncguard", true));

    @Override
    protected LockBackend createBackend() {
        return builder().build();
    }

    @Override
    protected LockBackend createCleaningBackend() {
        return builder().cleanupInIsLocked(true).build();
    }

    private RedisLockBackendBuilder builder() {
        cluster.nodes().forEach(node -> node.command(line(node)));
        return RedisLockBackend.builder(cluster.url().replace("redis://", "redis://locks:s3cret@"));
    }

    /** Redis 6.2 has no channels in shards and does not accept the names of their commands. */
    private static String[] line(RedisServer node) {
        boolean sharded = !node.command("INFO", "server").contains("redis_version:6.");
        return Stream.of(LINE)
                .map(word -> sharded ? word : word.replaceFirst("^\\+s(publish|subscribe|unsubscribe)", "+$1"))
                .toArray(String[]::new);
    }

    @Override
    protected StoreProbe store() {
        return probe;
    }

    /** On a cluster a lock id leads to the slot of its lock. */
    @Override
    protected LockId lockIdOfOtherClient(LockKey key) {
        LockId lockId = super.lockIdOfOtherClient(key);
        while (RedisKeys.shardOf(lockId.value()) != RedisKeys.shardOf(key.value())) {
            lockId = super.lockIdOfOtherClient(key);
        }
        return lockId;
    }

    /** Connected to a cluster that is gone. */
    @Override
    protected LockBackend createUnreachableBackend() {
        try (RedisCluster doomed = RedisCluster.start()) {
            return RedisLockBackend.connect(doomed.url());
        }
    }

    @AfterAll
    void stop() {
        client.shutdown();
        cluster.close();
    }
}
