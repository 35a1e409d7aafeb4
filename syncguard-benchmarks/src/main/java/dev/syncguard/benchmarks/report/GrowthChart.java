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
        for (int i = 0; i < growths.size(); i++) {
            draw(svg, growths.get(i), "line c" + i % 4);
        }
        return svg.toString();
    }

    private static void draw(Svg svg, Measured growth, String style) {
        List<Series> sizes = growth.series();
        double lastX = LEFT;
        double lastY = y(1);
        for (int i = 0; i < sizes.size(); i++) {
            double x = LEFT + (WIDTH - LEFT - RIGHT) * (i + 0.5) / sizes.size();
            double y = y(relative(sizes.get(i), sizes.get(0)));
            if (i > 0) {
                svg.line(style, lastX, lastY, x, y);
            }
            svg.text("small middle", x, HEIGHT - BOTTOM + 20, sizes.get(i).name());
            lastX = x;
            lastY = y;
        }
        svg.text("", lastX + 8, lastY + 4, growth.store());
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
