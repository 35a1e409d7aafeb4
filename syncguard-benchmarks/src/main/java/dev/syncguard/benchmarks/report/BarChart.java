package dev.syncguard.benchmarks.report;

import dev.syncguard.benchmarks.harness.Metric;
import dev.syncguard.benchmarks.harness.Series;
import dev.syncguard.benchmarks.report.Results.Measured;
import java.util.List;
import java.util.Locale;

/** The main figure of one workload: a bar for each candidate, with the range of its rounds. */
final class BarChart {

    private static final int WIDTH = 760;
    private static final int LEFT = 200;
    private static final int RIGHT = 130;
    private static final int TOP = 40;
    private static final int STEP = 26;
    private static final int BAR = 18;

    private BarChart() {}

    static String draw(Measured measured) {
        Metric metric = measured.main();
        List<Series> series = measured.series().stream()
                .filter(one -> one.values().containsKey(metric))
                .toList();
        double most = series.stream()
                .mapToDouble(one -> spread(one, metric).max())
                .max()
                .orElse(1);
        double scale = (WIDTH - LEFT - RIGHT) / Math.max(most, Double.MIN_NORMAL);
        Svg svg = new Svg(WIDTH, TOP + STEP * series.size() + 20, title(measured));
        for (int i = 0; i < series.size(); i++) {
            draw(svg, series.get(i), metric, TOP + STEP * i, scale);
        }
        svg.text(
                "small",
                LEFT,
                TOP + STEP * series.size() + 14,
                "blue: ours · grey: bare driver · yellow: other libraries");
        svg.line("axis", LEFT, TOP - 4, LEFT, TOP + STEP * series.size());
        return svg.toString();
    }

    private static String title(Measured measured) {
        String better = measured.main().higherIsBetter() ? "more is better" : "less is better";
        return measured.store() + ": " + measured.workload() + ", "
                + measured.main().title() + " (" + better + ")";
    }

    private static void draw(Svg svg, Series series, Metric metric, double y, double scale) {
        Spread spread = spread(series, metric);
        double middle = y + BAR / 2.0;
        svg.text("end", LEFT - 8, middle + 4, series.name());
        svg.bar(series.role().name().toLowerCase(Locale.ROOT), LEFT, y, spread.median() * scale, BAR);
        svg.line("range", LEFT + spread.min() * scale, middle, LEFT + spread.max() * scale, middle);
        svg.text("small", LEFT + spread.max() * scale + 6, middle + 4, Figures.number(spread.median()));
    }

    private static Spread spread(Series series, Metric metric) {
        return Spread.of(series.values().getOrDefault(metric, new double[] {0}));
    }
}
