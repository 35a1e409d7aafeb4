package dev.syncguard.benchmarks.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import dev.syncguard.benchmarks.harness.Metric;
import dev.syncguard.benchmarks.harness.Series;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Everything that a run measured; the pages are made from this alone.
 *
 * @param date when it began
 * @param mode full or short
 * @param machine what it ran on
 * @param versions what was measured
 * @param measured the figures
 * @param failures what could not be measured, and why
 */
public record Results(
        String date,
        String mode,
        Map<String, String> machine,
        Map<String, String> versions,
        List<Measured> measured,
        List<String> failures) {

    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    /**
     * One workload on one store.
     *
     * @param store the store
     * @param workload the title
     * @param note how it is measured
     * @param main what ratios and plots are about
     * @param reference the series that ratios refer to
     * @param seconds how long it took
     * @param series the figures of each candidate
     */
    public record Measured(
            String store,
            String workload,
            String note,
            Metric main,
            String reference,
            double seconds,
            List<Series> series) {

        /** Returns the figures of a candidate. */
        public Optional<Series> find(String name) {
            return series.stream().filter(one -> one.name().equals(name)).findFirst();
        }
    }

    /** Returns what was measured, if it was. */
    public Optional<Measured> find(String store, String workload) {
        return measured.stream()
                .filter(one -> one.store().equals(store) && one.workload().equals(workload))
                .findFirst();
    }

    /** Reads a file. */
    public static Results read(Path file) throws IOException {
        return JSON.readValue(file.toFile(), Results.class);
    }

    /** Writes a file. */
    public void write(Path file) throws IOException {
        Files.writeString(file, JSON.writeValueAsString(this) + "\n");
    }
}
