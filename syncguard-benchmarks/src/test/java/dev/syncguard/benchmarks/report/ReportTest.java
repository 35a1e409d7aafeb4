package dev.syncguard.benchmarks.report;

import static dev.syncguard.benchmarks.report.Sampled.results;
import static dev.syncguard.benchmarks.report.Sampled.series;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.syncguard.benchmarks.harness.Growth;
import dev.syncguard.benchmarks.harness.Metric;
import dev.syncguard.benchmarks.harness.Role;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportTest {

    @TempDir
    Path directory;

    private static Results uncontended() {
        return results(
                "redis",
                "uncontended, 8 threads",
                Metric.CYCLES,
                series("syncguard", Role.OURS, Metric.CYCLES, 80, 90, 100),
                series("own floor", Role.FLOOR, Metric.CYCLES, 100, 100, 100),
                series("shedlock", Role.PEER, Metric.CYCLES, 100, 100, 100),
                series("redisson <RLock>", Role.PEER, Metric.CYCLES, 10, 10, 10));
    }

    @Test
    @DisplayName("missed goals come first, then where others are better, then the rest")
    void order() {
        String page = Page.of(uncontended());

        assertThat(page)
                .containsSubsequence(
                        "## Goals missed (2)",
                        "syncguard, cycles/s ≥ 0.95 × own floor | 0.90 (0.80–1) |",
                        "## Worse than another library",
                        "| no | redis | uncontended, 8 threads | cycles/s | 90 | 100 | shedlock | 1.11 (1–1.25) |",
                        "## Goals not measured",
                        "## Goals met",
                        "## Machine and versions",
                        "| redisson <RLock> | 10 | 0.11 (0.10–0.13) |");
        assertThat(page.indexOf("redisson <RLock>")).isGreaterThan(page.indexOf("## Machine"));
    }

    @Test
    @DisplayName("plots are well-formed, whatever the names in them")
    void plots() throws Exception {
        Report.write(uncontended(), directory);
        Report.write(growth(), directory);

        try (Stream<Path> plots = Files.list(directory.resolve("plots"))) {
            List<Path> all = plots.toList();
            assertThat(all)
                    .extracting(Path::getFileName)
                    .map(Path::toString)
                    .contains("growth.svg", "redis-growth.svg");
            for (Path plot : all) {
                assertThat(root(plot)).isEqualTo("svg");
            }
        }
        assertThat(root(Files.writeString(
                        directory.resolve("one.svg"),
                        BarChart.draw(uncontended().measured().get(0)))))
                .isEqualTo("svg");
    }

    private static Results growth() {
        return results(
                "redis",
                new Growth().title(),
                Metric.P50,
                series(Growth.name(1000), Role.OURS, Metric.P50, 10, 11, 12),
                series(Growth.name(1_000_000), Role.OURS, Metric.P50, 10, 12, 14));
    }

    private static String root(Path svg) throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(svg.toFile())
                .getDocumentElement()
                .getNodeName();
    }

    @Test
    @DisplayName("the page can be made again from the file")
    void again() throws Exception {
        Path file = directory.resolve("results.json");
        uncontended().write(file);

        assertThat(Page.of(Results.read(file))).isEqualTo(Page.of(uncontended()));
    }

    @Test
    @DisplayName("a table escapes what would break it and refuses rows of another length")
    void table() {
        assertThat(new Table("a", "b").row("x|y", "z")).hasToString("| a | b |\n| --- | --- |\n| x\\|y | z |\n");
        Table table = new Table("a");
        assertThatThrownBy(() -> table.row("x", "y")).isInstanceOf(IllegalArgumentException.class);
    }
}
