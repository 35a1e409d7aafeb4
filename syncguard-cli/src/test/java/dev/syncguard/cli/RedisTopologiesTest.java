package dev.syncguard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.testbed.RedisCluster;
import dev.syncguard.testbed.RedisSentinels;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Redis in more than one piece. */
class RedisTopologiesTest {

    private static void lockUnlock(Cli cli) {
        assertThat(cli.run("run", "k", "--", "sh", "-c", "\"$SG\" status k; echo $SYNCGUARD_FENCE")
                        .exits(0)
                        .out())
                .isEqualTo("locked\n000000000000001\n");
        cli.run("status", "k").exits(1);
    }

    @Test
    @DisplayName("redis-cluster:// takes the first node that answers")
    void cluster() {
        try (RedisCluster cluster = RedisCluster.start()) {
            lockUnlock(Cli.on(cluster.url().replace("redis://", "redis-cluster://127.0.0.1:1,")));
        }
    }

    @Test
    @DisplayName("redis-sentinel:// finds the primary")
    void sentinel() {
        try (RedisSentinels sentinels = RedisSentinels.start()) {
            lockUnlock(Cli.on(sentinels.url()));
        }
    }
}
