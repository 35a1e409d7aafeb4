package dev.syncguard.faults;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import dev.syncguard.faults.checker.Coverage;
import dev.syncguard.faults.checker.Judgement;
import dev.syncguard.faults.checker.Violation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The outcome of a run or of a round, as it is kept beside its history.
 *
 * @param verdict what comes of it
 * @param store which store
 * @param gate which gate, or what else it was
 * @param seed from which everything was drawn
 * @param fenceMode how fences were found; of a run, in all its rounds
 * @param coverage what was seen
 * @param missing what was not seen enough
 * @param violations the promises that were not kept
 * @param broken what went wrong with the suite itself
 * @param promises what is judged
 */
public record Result(
        Verdict verdict,
        String store,
        String gate,
        long seed,
        String fenceMode,
        Coverage coverage,
        List<String> missing,
        List<Violation> violations,
        List<String> broken,
        Map<String, String> promises) {

    /** The file in the directory of a run and of each of its rounds. */
    public static final String FILE = "result.json";

    static Result of(
            String store, String gate, long seed, String fenceMode, Judgement judgement, List<String> missing) {
        Verdict verdict = !judgement.violations().isEmpty()
                ? Verdict.RED
                : !judgement.broken().isEmpty()
                        ? Verdict.BROKEN
                        : missing.isEmpty() ? Verdict.GREEN : Verdict.INCONCLUSIVE;
        return new Result(
                verdict,
                store,
                gate,
                seed,
                fenceMode,
                judgement.coverage(),
                missing,
                judgement.violations(),
                judgement.broken(),
                Judgement.promises());
    }

    void write(Path directory) {
        try {
            new ObjectMapper()
                    .enable(SerializationFeature.INDENT_OUTPUT)
                    .writeValue(directory.resolve(FILE).toFile(), this);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
