package dev.syncguard.testbed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RedisBinaryTest {

    @Test
    @DisplayName("a server that is asked for is the one that runs")
    void theOneAskedForIsUsed() {
        String path = RedisBinary.find(null).toString();

        assertThat(RedisBinary.find(path)).isEqualTo(Path.of(path));
    }

    @Test
    @DisplayName("a server that is asked for and not there is a failure, not another server")
    void aMissingOneIsAFailure(@TempDir Path directory) {
        String path = directory.resolve("redis-server").toString();

        assertThatThrownBy(() -> RedisBinary.find(path)).hasMessageContaining(path);
    }
}
