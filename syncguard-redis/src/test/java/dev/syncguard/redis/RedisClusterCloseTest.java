package dev.syncguard.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.SyncGuard;
import dev.syncguard.testbed.RedisCluster;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("other tests break connections on purpose, and the driver warns of that")
@DisplayName("closing a backend on a cluster")
class RedisClusterCloseTest {

    private final List<String> warnings = new CopyOnWriteArrayList<>();

    /** Held here: the log manager forgets loggers that nobody holds. */
    private final Logger driver = Logger.getLogger("io.lettuce");

    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord entry) {
            if (entry.getLevel().intValue() >= Level.WARNING.intValue()) {
                warnings.add(entry.getMessage());
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @Test
    @DisplayName("makes the driver warn of nothing")
    void quiet() {
        driver.addHandler(handler);
        try (RedisCluster cluster = RedisCluster.start()) {
            try (SyncGuard guard = SyncGuard.of(RedisLockBackend.connect(cluster.url()))) {
                for (int i = 0; i < 2 * RedisKeys.SHARDS; i++) {
                    guard.run("k" + i, lease -> {});
                }
            }
            assertThat(warnings).isEmpty();
        } finally {
            driver.removeHandler(handler);
        }
    }
}
