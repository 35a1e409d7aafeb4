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

/** Every piece of code in the README, the guide and the adapters' READMEs stands in a source that a test compiles and runs. */
class SnippetsTest {

    private static final Pattern BLOCK = Pattern.compile("```(?:java|kotlin)\\R(.*?)```", Pattern.DOTALL);

    /** Modules whose README has its code here. */
    private static final List<String> DOCUMENTED_HERE = List.of(
            "syncguard-redis", "syncguard-postgres", "syncguard-firestore", "syncguard-sqlite", "syncguard-micrometer");

    /** Modules whose README has its code in their own tests. */
    private static final List<String> MODULES = List.of(
            "syncguard-kotlin",
            "syncguard-opentelemetry",
            "syncguard-reactor",
            "syncguard-shedlock",
            "syncguard-spring-boot-starter",
            "syncguard-spring-integration");

    @TestFactory
    Stream<DynamicTest> snippets() throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        for (Path page : pages()) {
            tests.addAll(snippets(page, Path.of("src")));
        }
        assertThat(tests).hasSizeGreaterThan(5);
        for (String module : MODULES) {
            Path directory = Path.of("..", module);
            assertThat(tests.addAll(snippets(directory.resolve("README.md"), directory.resolve("src/test"))))
                    .as(module)
                    .isTrue();
        }
        return tests.stream();
    }

    private static List<DynamicTest> snippets(Path page, Path directory) throws IOException {
        String sources = sources(directory).map(SnippetsTest::read).collect(Collectors.joining("\n"));
        List<DynamicTest> tests = new ArrayList<>();
        Matcher block = BLOCK.matcher(Files.readString(page));
        while (block.find()) {
            String snippet = block.group(1);
            tests.add(dynamicTest(
                    page + ": " + snippet.lines().findFirst().orElse(""),
                    () -> assertThat(unindented(sources)).contains(unindented(snippet))));
        }
        return tests;
    }

    private static List<Path> pages() throws IOException {
        try (Stream<Path> guide = Files.list(Path.of("../docs/guide"))) {
            Stream<Path> readmes = DOCUMENTED_HERE.stream().map(module -> Path.of("..", module, "README.md"));
            return Stream.of(Stream.of(Path.of("../README.md")), readmes, guide)
                    .flatMap(pages -> pages)
                    .toList();
        }
    }

    private static Stream<Path> sources(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(file -> file.toString().matches(".*\\.(java|kt)")).toList().stream();
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
