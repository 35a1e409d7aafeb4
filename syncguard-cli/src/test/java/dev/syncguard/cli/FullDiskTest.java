package dev.syncguard.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The SQLite file on a disk without room. */
class FullDiskTest {

    @TempDir
    Path directory;

    private Cli cli;

    @BeforeEach
    void mount() {
        cli = Cli.onFile(directory).with("DIR", directory.toString());
        assumeTrue(
                cli.shell("mount -t tmpfs -o size=256k tmpfs \"$DIR\"").code() == 0,
                "mounting a small file system needs root");
    }

    @AfterEach
    void unmount() {
        cli.shell("umount \"$DIR\"");
    }

    @Test
    @DisplayName("no room for a grant: one line, exit 3, nothing is run; with room again it works")
    void full() {
        cli.run("run", "k", "--", "true").exits(0);
        cli.shell("head -c 10M /dev/zero > \"$DIR/filler\"");
        Cli.Result result = null;
        for (int i = 0; i < 20 && (result == null || result.code() == 0); i++) {
            result = cli.run("acquire", "k".repeat(400) + i, "--ttl", "1h");
        }
        assertThat(result.exits(3).err().lines()).as(result.err()).hasSize(1);
        cli.shell("rm \"$DIR/filler\"");
        assertThat(cli.run("run", "k", "--", "sh", "-c", "echo $SYNCGUARD_FENCE")
                        .exits(0)
                        .out())
                .isGreaterThan("000000000000001");
    }
}
