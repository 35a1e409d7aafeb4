package dev.syncguard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Symbolic links beside the lock file, as an attacker in a shared folder would leave them. */
class LinksTest {

    @ParameterizedTest
    @ValueSource(strings = {"-wal", "-shm", "-journal", "-queue"})
    @DisplayName("no file that is made beside the lock file follows a link")
    void notFollowed(String suffix, @TempDir Path directory) throws IOException {
        String before = "precious".repeat(100);
        Path victim = Files.writeString(directory.resolve("victim"), before);
        Path absent = directory.resolve("absent");
        Path link = directory.resolve("locks.db" + suffix);
        for (Path target : List.of(victim, absent)) {
            Files.createSymbolicLink(link, target);

            Cli.Result result = Cli.onFile(directory).run("run", "k", "--fail-fast", "--", "true");

            assertThat(result.code()).as(result.err()).isIn(0, 3);
            assertThat(victim).hasContent(before);
            assertThat(absent).doesNotExist();
            Files.deleteIfExists(link);
        }
    }
}
