package dev.syncguard.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The table of docs/model/README.md")
class ModelDocTest {

    private static final Path ROOT = Path.of("..");

    /** The rows of the table: rules, decision, model, promise, mutation, tests. */
    private static final List<List<String>> ROWS = Configuration.read(Configuration.MODELS.resolve("README.md"))
            .lines()
            .filter(line -> line.startsWith("| ") && line.endsWith(" |"))
            .map(line -> Arrays.stream(line.substring(2, line.length() - 2).split(" \\| ", -1))
                    .map(String::strip)
                    .toList())
            .filter(cells -> cells.size() == 6 && cells.get(0).matches("[A-Z]{3}-\\d+.*"))
            .toList();

    @Test
    @DisplayName("has every mutation with the promise that it refutes, and no other")
    void listsEveryMutation() {
        Set<String> documented = ROWS.stream()
                .map(row -> row.get(2) + ": " + row.get(4) + " refutes " + row.get(3))
                .map(text -> text.replace("`", ""))
                .collect(Collectors.toSet());

        assertThat(documented)
                .isEqualTo(Mutation.ALL.stream().map(Mutation::toString).collect(Collectors.toSet()));
    }

    @Test
    @DisplayName("names rules that exist")
    void rulesExist() {
        String rules = Configuration.read(ROOT.resolve(Path.of("docs", "spec", "rules.md")));

        assertThat(names(0, "[A-Z]{3}-\\d+")).isNotEmpty().allMatch(id -> rules.contains("\n| " + id + " |"));
    }

    @Test
    @DisplayName("names tests that exist")
    void testsExist() throws IOException {
        Set<String> files;
        try (Stream<Path> modules = Files.list(ROOT)) {
            files = modules.filter(module -> module.getFileName().toString().startsWith("syncguard-"))
                    .map(module -> module.resolve("src"))
                    .filter(Files::isDirectory)
                    .flatMap(ModelDocTest::walk)
                    .map(file -> file.getFileName().toString())
                    .collect(Collectors.toSet());
        }

        assertThat(names(5, "\\b[A-Z]\\w+(Test|Rules)\\b"))
                .isNotEmpty()
                .allMatch(name -> files.contains(name + ".java"));
    }

    private static Stream<Path> walk(Path directory) {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(file -> Files.isRegularFile(file)).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> names(int column, String pattern) {
        Pattern name = Pattern.compile(pattern);
        return ROWS.stream()
                .flatMap(row -> name.matcher(row.get(column)).results())
                .map(found -> found.group())
                .distinct()
                .toList();
    }
}
