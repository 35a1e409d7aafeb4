package dev.syncguard.cli.demo;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.cli.text.ExitCode;
import dev.syncguard.cli.text.Json;
import dev.syncguard.cli.text.Output;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code syncguard demo}. */
@Command(
        name = "demo",
        sortOptions = false,
        description = {
            "Shows what a fence is for: three processes compete for a lock in a temporary file, the first is paused past"
                    + " its lease, and its late write is refused.",
            "No service is needed."
        },
        footer = {"", "Examples:", "  syncguard demo"})
public final class DemoCommand implements Callable<Integer> {

    @Mixin
    private Output output = new Output();

    /** Made by picocli. */
    public DemoCommand() {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        Path directory = Files.createTempDirectory("syncguard-demo");
        Story story = new Story(new Stage(output));
        Thread tidy = new Thread(() -> tidy(story, directory));
        Runtime.getRuntime().addShutdownHook(tidy);
        story.tell(directory.resolve("locks.db"), List.of("alice", "bob", "carol"));
        if (output.isJson()) {
            output.line(new Json()
                    .put("ok", story.isAsPromised())
                    .put("balance", story.balance())
                    .put("refused", story.refused())
                    .toString());
        }
        if (!story.isAsPromised()) {
            throw new LockException(Code.INTERNAL, "the demo did not go as promised: please report it");
        }
        return ExitCode.YES;
    }

    /** Also after Ctrl-C: a paused process would stay for ever. */
    private static void tidy(Story story, Path directory) {
        story.close();
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException | UncheckedIOException e) {
            return; // a worker may still have been writing; it is a temporary directory
        }
    }
}
