package dev.syncguard.faults;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.syncguard.faults.checker.Coverage;
import dev.syncguard.faults.checker.Judgement;
import dev.syncguard.faults.checker.Violation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The histories of a run that was kept, judged by the checker of today. */
final class JudgedAgain {

    private static final ObjectMapper JSON =
            new ObjectMapper().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

    private JudgedAgain() {}

    static boolean isRun(Path directory) {
        return Files.isDirectory(directory.resolve("round-001"));
    }

    /** Writes the results of a run and its rounds anew. What was missing for want of time stays missing. */
    static Result run(Path directory) {
        Coverage coverage = Coverage.NONE;
        List<Violation> violations = new ArrayList<>();
        List<String> broken = new ArrayList<>();
        for (Path round : rounds(directory)) {
            Result before = read(round);
            Judgement judgement = Judgement.of(round);
            again(before, judgement, List.of()).write(round);
            coverage = coverage.plus(judgement.coverage());
            violations.addAll(judgement.violations());
            broken.addAll(judgement.broken());
        }
        Result before = read(directory);
        List<String> missing = new ArrayList<>(Gate.valueOf(before.gate()).missing(before.store(), coverage));
        before.missing().stream()
                .filter(line -> line.startsWith("length: ") || line.startsWith("time: "))
                .forEach(missing::add);
        Result after = again(before, new Judgement(coverage, violations, broken), missing);
        after.write(directory);
        return after;
    }

    private static Result again(Result before, Judgement judgement, List<String> missing) {
        return Result.of(before.store(), before.gate(), before.seed(), before.fenceMode(), judgement, missing);
    }

    /** A round that was cut off has no result, and is not judged again. */
    private static List<Path> rounds(Path directory) {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> Files.exists(file.resolve(Result.FILE)))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Result read(Path directory) {
        try {
            return JSON.readValue(directory.resolve(Result.FILE).toFile(), Result.class);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
