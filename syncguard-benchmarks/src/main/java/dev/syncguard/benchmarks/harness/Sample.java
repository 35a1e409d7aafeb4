package dev.syncguard.benchmarks.harness;

import java.util.EnumMap;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** What one round of one candidate gave. */
public final class Sample {

    private final Map<Metric, Double> values = new EnumMap<>(Metric.class);

    /** Adds a figure; one that could not be measured is left out. */
    public Sample with(Metric metric, double value) {
        if (!Double.isNaN(value)) {
            values.put(metric, value);
        }
        return this;
    }

    /** Adds the percentiles of times in nanoseconds. */
    public Sample with(Histogram times) {
        return with(Metric.P50, times.getValueAtPercentile(50) / 1e3)
                .with(Metric.P99, times.getValueAtPercentile(99) / 1e3);
    }

    public Map<Metric, Double> values() {
        return values;
    }
}
