package dev.syncguard.faults.nemesis;

import dev.syncguard.faults.client.Pause;
import dev.syncguard.faults.history.HistoryWriter;
import dev.syncguard.faults.history.Line;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** One use of a fault: draws from the seed, and writes down when it begins and ends. */
public final class Strike {

    private final HistoryWriter history;
    private final Random random;
    private final Fault fault;
    private @Nullable String target;

    Strike(HistoryWriter history, Random random, Fault fault) {
        this.history = history;
        this.random = random;
        this.fault = fault;
    }

    /** A number from 0 on, below the limit. */
    public int draw(int limit) {
        return random.nextInt(limit);
    }

    /** A number between two, both included. */
    public int between(int least, int most) {
        return least + random.nextInt(most - least + 1);
    }

    /** Begins: from here on things may go wrong. */
    public void begin(String aimedAt) {
        begin(aimedAt, "", "");
    }

    /** Begins, with what there is to say about it. */
    public void begin(String aimedAt, String key, String note) {
        target = aimedAt;
        Line line = line("begin", aimedAt).put("excuses", fault.excuses());
        history.write(line.put("key", key).put("note", note));
    }

    /** Writes another line about it. */
    public Line note(String event) {
        return history.line(event);
    }

    /** Writes a line. */
    public void write(Line line) {
        history.write(line);
    }

    /** Lets it last. */
    public void last(int leastMillis, int mostMillis) {
        Pause.millis(between(leastMillis, mostMillis));
    }

    /** Ends, if it has begun; by itself when the fault returns. */
    public void end() {
        if (target != null) {
            history.write(line("end", target));
            target = null;
        }
    }

    private Line line(String phase, String aimedAt) {
        return history.line("fault")
                .put("kind", fault.kind())
                .put("phase", phase)
                .put("target", aimedAt);
    }
}
