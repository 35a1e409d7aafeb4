package dev.syncguard.faults.history;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** One line of a history while it is put together. */
public final class Line {

    private final StringBuilder text = new StringBuilder(160);

    private Line(long time, String process, String event) {
        text.append("{\"t\":").append(time);
        put("p", process);
        put("e", event);
    }

    /**
     * Begins a line.
     *
     * @param time {@link System#nanoTime()}, which is one clock for all processes of a host
     * @param process who writes it
     * @param event what happened
     * @return the line
     */
    public static Line at(long time, String process, String event) {
        return new Line(time, process, event);
    }

    /** Adds a text; nothing if there is none. */
    public Line put(String name, @Nullable String value) {
        if (value != null) {
            name(name)
                    .append('"')
                    .append(JsonStringEncoder.getInstance().quoteAsString(value))
                    .append('"');
        }
        return this;
    }

    /** Adds a number. */
    public Line put(String name, long value) {
        name(name).append(value);
        return this;
    }

    /** Adds a truth value. */
    public Line put(String name, boolean value) {
        name(name).append(value);
        return this;
    }

    /** Adds texts. */
    public Line put(String name, Collection<String> values) {
        name(name).append('[');
        String separator = "";
        for (String value : values) {
            text.append(separator)
                    .append('"')
                    .append(JsonStringEncoder.getInstance().quoteAsString(value))
                    .append('"');
            separator = ",";
        }
        text.append(']');
        return this;
    }

    private StringBuilder name(String name) {
        return text.append(",\"").append(name).append("\":");
    }

    byte[] bytes() {
        return (text + "}\n").getBytes(StandardCharsets.UTF_8);
    }
}
