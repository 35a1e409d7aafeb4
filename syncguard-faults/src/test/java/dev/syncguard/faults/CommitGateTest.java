package dev.syncguard.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The gate of every commit, on every store. The history stays in {@code target/faults} to be judged and drawn again.
 *
 * <p>Not part of every build yet: on SQLite and Firestore the suite itself is not settled (see the module's README).
 */
@EnabledIfSystemProperty(named = "syncguard.faults.gate", matches = "true")
class CommitGateTest {

    private static final Path OUT = Path.of("target", "faults").toAbsolutePath();

    @ParameterizedTest
    @DisplayName("no promise is broken, and enough was seen")
    @ValueSource(strings = {"redis", "postgres", "sqlite", "firestore"})
    void green(String store) {
        long seed = new Random().nextInt(1_000_000);
        Path directory = OUT.resolve(store + "-" + seed);

        Result result =
                new Run(Gate.COMMIT, store, seed, Gate.COMMIT.length(), directory, new Progress(System.out)).run();

        assertThat(result.violations())
                .as("seed %s, history in %s", seed, directory)
                .isEmpty();
        assertThat(result.broken()).as("the suite itself, seed %s", seed).isEmpty();
        assertThat(result.missing()).as("not seen enough, seed %s", seed).isEmpty();
    }
}
