package dev.syncguard.benchmarks.report;

import dev.syncguard.benchmarks.harness.Metric;
import dev.syncguard.benchmarks.harness.Series;
import dev.syncguard.benchmarks.report.Goal.Outcome;
import dev.syncguard.benchmarks.report.Goal.Verdict;
import dev.syncguard.benchmarks.report.Results.Measured;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** RESULTS.md: what is missed or worse first, then everything. */
final class Page {

    private final Results results;
    private final StringBuilder text = new StringBuilder();

    private Page(Results results) {
        this.results = results;
    }

    static String of(Results results) {
        Page page = new Page(results);
        page.heading();
        page.goals();
        page.machine();
        page.figures();
        page.lengths();
        return page.text.toString();
    }

    private void heading() {
        text.append("# Results\n\nWritten by a run of the harness (")
                .append(results.mode())
                .append(" mode) on ");
        text.append(results.date()).append("; [README.md](README.md) tells how to read and repeat it. ");
        text.append("Figures are medians of the rounds, with the lowest and highest round in brackets. ");
        text.append("Ratios are taken round by round.\n\n");
        if (!results.mode().equals("full")) {
            text.append("**Not a measurement:** the short mode only shows that everything runs.\n\n");
        }
        if (!results.failures().isEmpty()) {
            text.append("## Failed\n\n");
            results.failures()
                    .forEach(failure -> text.append("- ").append(failure).append('\n'));
            text.append('\n');
        }
    }

    private void goals() {
        List<Outcome> outcomes =
                Goals.all().stream().map(goal -> goal.judge(results)).toList();
        for (Verdict verdict : Verdict.values()) {
            List<Outcome> some =
                    outcomes.stream().filter(one -> one.verdict() == verdict).toList();
            String title = verdict.name().toLowerCase(Locale.ROOT).replace('_', ' ');
            text.append("## Goals ")
                    .append(title)
                    .append(" (")
                    .append(some.size())
                    .append(")\n\n");
            if (!some.isEmpty()) {
                Table table = new Table("store", "goal", "measured");
                some.forEach(one -> table.row(
                        one.goal().store(),
                        one.goal().text(),
                        one.spread().map(Figures::spread).orElse("–")));
                text.append(table).append('\n');
            }
            if (verdict == Verdict.MISSED) {
                text.append("Why, with the profiles that show it: [PROFILES.md](PROFILES.md).\n\n");
                worse();
            }
        }
    }

    private void worse() {
        text.append("## Worse than another library\n\n");
        List<Comparison> all = Comparison.worseThanPeers(results);
        if (all.isEmpty()) {
            text.append("Nothing by more than 2%.\n\n");
            return;
        }
        text.append(
                "Every figure in which our facade is more than 2% behind in the median: first where it is behind in");
        text.append(" every round, the largest factor first.\n\n");
        Table table =
                new Table("in every round", "store", "workload", "figure", "syncguard", "the other", "", "factor");
        all.forEach(one -> table.row(
                one.always() ? "yes" : "no",
                one.measured().store(),
                one.measured().workload(),
                one.metric().title(),
                Figures.number(one.ours()),
                Figures.number(one.theirs()),
                named(one.peer()),
                Figures.spread(one.worse())));
        text.append(table).append('\n');
    }

    private static String named(Series series) {
        return series.note().isEmpty() ? series.name() : series.name() + " (" + series.note() + ")";
    }

    private void machine() {
        text.append("## Machine and versions\n\n");
        Table machine = new Table("", "");
        results.machine().forEach(machine::row);
        text.append(machine).append('\n');
        Table versions = new Table("library or server", "version");
        results.versions().forEach(versions::row);
        text.append(versions).append('\n');
    }

    private void figures() {
        Set<String> seen = new TreeSet<>();
        for (Measured measured : results.measured()) {
            if (seen.add(measured.store())) {
                text.append("## ").append(measured.store()).append("\n\n");
                candidates(measured.store());
            }
            text.append("### ").append(measured.store()).append(": ");
            text.append(measured.workload())
                    .append("\n\n")
                    .append(measured.note())
                    .append("\n\n");
            text.append(table(measured)).append('\n');
            text.append("![")
                    .append(measured.workload())
                    .append("](")
                    .append(Report.plot(measured))
                    .append(")\n\n");
        }
        if (!Report.growths(results).isEmpty()) {
            text.append("## Growth of all stores\n\n![growth](plots/growth.svg)\n\n");
        }
    }

    private void candidates(String store) {
        Table table = new Table("candidate", "", "what it is, or does not do");
        Set<String> seen = new TreeSet<>();
        results.measured().stream()
                .filter(one -> one.store().equals(store))
                .flatMap(one -> one.series().stream())
                .filter(series -> !series.note().isEmpty() && seen.add(series.name()))
                .forEach(series ->
                        table.row(series.name(), series.role().name().toLowerCase(Locale.ROOT), series.note()));
        if (!table.isEmpty()) {
            text.append(table).append('\n');
        }
    }

    private static Table table(Measured measured) {
        Set<Metric> metrics = new TreeSet<>();
        measured.series().forEach(series -> metrics.addAll(series.values().keySet()));
        Optional<Series> reference = measured.find(measured.reference())
                .filter(base -> measured.series().size() > 1);
        List<String> titles = new ArrayList<>(List.of("candidate"));
        metrics.forEach(metric -> titles.add(metric.title()));
        reference.ifPresent(base -> titles.add(measured.main().title() + ", of " + base.name()));
        Table table = new Table(titles);
        for (Series series : measured.series()) {
            List<String> cells = new ArrayList<>(List.of(series.name()));
            metrics.forEach(metric -> cells.add(cell(series, metric)));
            reference.ifPresent(base -> cells.add(ratio(series, base, measured.main())));
            table.row(cells);
        }
        return table;
    }

    private static String cell(Series series, Metric metric) {
        double[] values = series.values().get(metric);
        return values == null ? "–" : Figures.spread(Spread.of(values));
    }

    private static String ratio(Series series, Series base, Metric metric) {
        double[] values = series.values().get(metric);
        double[] references = base.values().get(metric);
        return values == null || references == null ? "–" : Figures.spread(Spread.ratio(values, references));
    }

    private void lengths() {
        text.append("## How long each part took\n\n");
        Table table = new Table("store", "workload", "seconds");
        results.measured()
                .forEach(one -> table.row(one.store(), one.workload(), Figures.number(Math.rint(one.seconds()))));
        text.append(table);
    }
}
