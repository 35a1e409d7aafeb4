package dev.syncguard.benchmarks.report;

import dev.syncguard.benchmarks.harness.Growth;
import dev.syncguard.benchmarks.report.Results.Measured;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** Writes the page and its plots into a directory. */
public final class Report {

    private static final String PLOTS = "plots";

    private Report() {}

    /** Writes everything; plots of an earlier run go. */
    public static void write(Results results, Path directory) throws IOException {
        Path plots = Files.createDirectories(directory.resolve(PLOTS));
        try (DirectoryStream<Path> old = Files.newDirectoryStream(plots, "*.svg")) {
            for (Path plot : old) {
                Files.delete(plot);
            }
        }
        for (Measured measured : results.measured()) {
            Files.writeString(plots.resolve(plotName(measured)), BarChart.draw(measured));
        }
        List<Measured> growths = growths(results);
        if (!growths.isEmpty()) {
            Files.writeString(plots.resolve("growth.svg"), GrowthChart.draw(growths));
        }
        Files.writeString(directory.resolve("RESULTS.md"), Page.of(results));
    }

    static List<Measured> growths(Results results) {
        return results.measured().stream()
                .filter(one -> one.workload().equals(new Growth().title()))
                .toList();
    }

    static String plot(Measured measured) {
        return PLOTS + "/" + plotName(measured);
    }

    private static String plotName(Measured measured) {
        String name = measured.store() + " " + measured.workload();
        return name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-") + ".svg";
    }
}
