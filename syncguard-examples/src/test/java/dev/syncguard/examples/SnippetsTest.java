package dev.syncguard.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Every piece of Java in the README and the guide stands in a source that is compiled and run by a test. */
class SnippetsTest {

    private static final Pattern BLOCK = Pattern.compile("```java\\R(.*?)```", Pattern.DOTALL);

    @TestFactory
    Stream<DynamicTest> snippets() throws IOException {
        String sources = javaFiles(Path.of("src")).map(SnippetsTest::read).collect(Collectors.joining("\n"));
        List<DynamicTest> tests = new ArrayList<>();
        for (Path page : pages()) {
            Matcher block = BLOCK.matcher(Files.readString(page));
            while (block.find()) {
                String snippet = block.group(1);
                tests.add(dynamicTest(
                        page.getFileName() + ": " + snippet.lines().findFirst().orElse(""),
                        () -> assertThat(unindented(sources)).contains(unindented(snippet))));
            }
        }
        assertThat(tests).hasSizeGreaterThan(5);
        return tests.stream();
    }

    private static List<Path> pages() throws IOException {
        try (Stream<Path> guide = Files.list(Path.of("../docs/guide"))) {
            return Stream.concat(Stream.of(Path.of("../README.md")), guide).toList();
        }
    }

    private static Stream<Path> javaFiles(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(file -> file.toString().endsWith(".java")).toList().stream();
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String unindented(String text) {
        String lines = text.lines().map(String::strip).collect(Collectors.joining("\n"));
        return "\n" + lines.strip() + "\n"; // whole lines only
    }
}
