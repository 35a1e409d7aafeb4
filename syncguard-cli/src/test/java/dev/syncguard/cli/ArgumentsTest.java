package dev.syncguard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.cli.command.LookupCommand;
import dev.syncguard.cli.command.ReleaseCommand;
import dev.syncguard.cli.command.RunCommand;
import dev.syncguard.cli.command.StoreOptions;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** What the parser gets to see. */
class ArgumentsTest {

    private static final String ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

    private static List<String> sorted(Object command, String... args) {
        CommandSpec spec = new CommandLine(command).getCommandSpec();
        StoreOptions.addSettings(spec); // as Commands does where an argument may name one
        return List.of(Arguments.sorted(spec, args));
    }

    @Test
    @DisplayName("a lock id is a word, whatever its first two characters are")
    void lockIds() {
        ALPHABET.chars()
                .forEach(first -> ALPHABET.chars().forEach(second -> {
                    String id = "" + (char) first + (char) second + "A".repeat(20);
                    assertThat(sorted(new ReleaseCommand(), id, "--debug")).containsExactly("--debug", "--", id);
                    assertThat(sorted(new LookupCommand(), "--id", id)).containsExactly("--id=" + id);
                }));
    }

    @Test
    @DisplayName("options may stand before and after the key; the command begins with the second word or after --")
    void command() {
        String[] expected = {"--ttl=5s", "--no-wait", "--", "k", "c", "-h", "--ttl", "@x", "--", "-b"};
        assertThat(sorted(
                        new RunCommand(), "--ttl", "5s", "k", "--no-wait", "--", "c", "-h", "--ttl", "@x", "--", "-b"))
                .containsExactly(expected);
        assertThat(sorted(new RunCommand(), "--ttl=5s", "k", "--no-wait", "c", "-h", "--ttl", "@x", "--", "-b"))
                .containsExactly(expected);
    }

    @Test
    @DisplayName("a key that begins with a dash stands after --")
    void dashedKey() {
        assertThat(sorted(new RunCommand(), "--no-wait", "--", "-k", "c", "--", "d"))
                .containsExactly("--no-wait", "--", "-k", "c", "--", "d");
        assertThat(sorted(new ReleaseCommand(), "-")).containsExactly("--", "-");
    }

    @Test
    @DisplayName("a value may be attached, and may begin with a dash")
    void values() {
        assertThat(sorted(new ReleaseCommand(), "-bmemory:", "x")).containsExactly("--backend=memory:", "--", "x");
        assertThat(sorted(new ReleaseCommand(), "-b=memory:")).containsExactly("-b=memory:");
        assertThat(sorted(new ReleaseCommand(), "--prefix", "-h")).containsExactly("--prefix=-h");
        assertThat(sorted(new ReleaseCommand(), "--prefix")).containsExactly("--prefix");
        assertThat(sorted(new ReleaseCommand(), "-hx")).containsExactly("-hx");
    }
}
