package dev.syncguard.benchmarks.report;

import dev.syncguard.benchmarks.harness.Metric;
import dev.syncguard.benchmarks.harness.Series;
import dev.syncguard.benchmarks.report.Results.Measured;
import java.util.List;

/** How the time of a cycle changes as stores fill: a line for each store, relative to its emptiest. */
final class GrowthChart {

    private static final int WIDTH = 760;
    private static final int HEIGHT = 300;
    private static final int LEFT = 60;
    private static final int RIGHT = 130;
    private static final int TOP = 45;
    private static final int BOTTOM = 40;
    private static final double HIGHEST = 1.6;

    private GrowthChart() {}

    static String draw(List<Measured> growths) {
        Svg svg = new Svg(WIDTH, HEIGHT, "p50 of a cycle by held locks, relative to the emptiest store (goal: ≤ 1.2)");
        for (double level : new double[] {0, 0.4, 0.8, 1.2, HIGHEST}) {
            svg.line("axis", LEFT, y(level), WIDTH - RIGHT, y(level));
            svg.text("small end", LEFT - 6, y(level) + 4, Figures.number(level));
        }
        List<Series> sizes = growths.get(0).series();
        for (int i = 0; i < sizes.size(); i++) {
            svg.text(
                    "small middle",
                    x(i, sizes.size()),
                    HEIGHT - BOTTOM + 20,
                    sizes.get(i).name());
        }
        for (int i = 0; i < growths.size(); i++) {
            String style = "line c" + i % 4;
            double legend = TOP + 20 * (i + 1);
            svg.line(style, WIDTH - RIGHT + 12, legend - 4, WIDTH - RIGHT + 32, legend - 4);
            svg.text("", WIDTH - RIGHT + 38, legend, growths.get(i).store());
            draw(svg, growths.get(i).series(), style);
        }
        return svg.toString();
    }

    private static void draw(Svg svg, List<Series> sizes, String style) {
        double before = relative(sizes.get(0), sizes.get(0));
        for (int i = 1; i < sizes.size(); i++) {
            double now = relative(sizes.get(i), sizes.get(0));
            svg.line(style, x(i - 1, sizes.size()), y(before), x(i, sizes.size()), y(now));
            before = now;
        }
    }

    private static double x(int size, int sizes) {
        return LEFT + (WIDTH - LEFT - RIGHT) * (size + 0.5) / sizes;
    }

    private static double relative(Series size, Series first) {
        double[] none = {1};
        return Spread.ratio(
                        size.values().getOrDefault(Metric.P50, none),
                        first.values().getOrDefault(Metric.P50, none))
                .median();
    }

    private static double y(double level) {
        return TOP + (HEIGHT - TOP - BOTTOM) * (1 - Math.min(level, HIGHEST) / HIGHEST);
    }
}
