package dev.syncguard.benchmarks.report;

import java.util.Locale;

/** Numbers as people read them. */
final class Figures {

    private Figures() {}

    /** Three digits that matter; whole numbers from a hundred on. */
    static String number(double value) {
        if (!Double.isFinite(value)) {
            return "–";
        }
        double size = Math.abs(value);
        if (size >= 100) {
            return String.format(Locale.ROOT, "%,.0f", value);
        }
        if (value == Math.rint(value)) {
            return String.format(Locale.ROOT, "%.0f", value);
        }
        return String.format(Locale.ROOT, size >= 10 ? "%.1f" : size >= 0.1 ? "%.2f" : "%.3f", value);
    }

    static String spread(Spread spread) {
        return spread.min() == spread.max()
                ? number(spread.median())
                : number(spread.median()) + " (" + number(spread.min()) + "–" + number(spread.max()) + ")";
    }
}
