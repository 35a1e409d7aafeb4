package dev.syncguard.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.syncguard.testbed.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Every piece of shell in the README and the guide runs, in an empty directory with the command on its path. */
@Tag("once")
class GuideCommandsTest {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```sh\\R(.*?)^```");

    /** What a test cannot run inside of a build, by the first word, and what runs it instead. */
    private static final Map<String, String> RUN_ELSEWHERE = Map.of(
            "./mvnw", "the build itself",
            "syncguard-cli/package", "InstallationTest",
            "tar", "InstallationTest");

    @TempDir
    static Path directory;

    private static RedisServer redis;

    @BeforeAll
    static void prepare() throws IOException {
        redis = RedisServer.start();
        Files.createSymbolicLink(directory.resolve("syncguard"), Cli.LAUNCHER);
        for (String command : List.of("report.sh", "make")) {
            Path stub = Files.writeString(directory.resolve(command), "#!/bin/sh\n");
            assertThat(stub.toFile().setExecutable(true)).isTrue();
        }
        Files.createDirectory(directory.resolve("bin"));
    }

    @AfterAll
    static void stop() {
        redis.close();
    }

    @TestFactory
    Stream<DynamicTest> snippets() throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        for (Path page : pages()) {
            BLOCK.matcher(Files.readString(page))
                    .results()
                    .map(block -> block.group(1))
                    .filter(block -> !RUN_ELSEWHERE.containsKey(block.split("\\s", 2)[0]))
                    .forEach(block ->
                            tests.add(dynamicTest(page.getFileName() + ": " + block.strip(), () -> run(block))));
        }
        assertThat(tests).hasSizeGreaterThan(8);
        return tests.stream();
    }

    private static List<Path> pages() throws IOException {
        try (Stream<Path> guide = Files.list(ROOT.resolve("docs/guide"))) {
            return Stream.concat(
                            Stream.of(ROOT.resolve("README.md")),
                            guide.filter(page -> page.toString().endsWith(".md")))
                    .sorted()
                    .toList();
        }
    }

    private static void run(String block) {
        Cli.onFile(directory)
                .with("HOME", directory.toString())
                .with("PATH", directory + ":" + System.getenv("PATH"))
                .shell("set -eo pipefail\ncd '" + directory + "'\n"
                        + block.replace("redis://locks.example", redis.url()))
                .exits(0);
    }
}
