package dev.syncguard.faults.nemesis;

import dev.syncguard.faults.Life;
import dev.syncguard.faults.client.Pause;
import dev.syncguard.faults.history.HistoryWriter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Inflicts faults one after the other. Every kind comes once before any comes twice, in an order that the seed decides, so
 * that each gets its share however short the round is.
 */
public final class Nemesis {

    private final HistoryWriter history;
    private final List<Fault> faults;
    private final Random random;
    private final int pauseMillis;
    private final AtomicInteger inflicted = new AtomicInteger();
    private volatile boolean stopping;

    /**
     * Prepares a nemesis.
     *
     * @param history where it writes
     * @param faults what it can do
     * @param seed decides the order and all sizes
     * @param pauseMillis between two faults, on average
     */
    public Nemesis(HistoryWriter history, List<Fault> faults, long seed, int pauseMillis) {
        this.history = history;
        this.faults = faults;
        this.random = new Random(seed);
        this.pauseMillis = pauseMillis;
    }

    /** Starts; returns the thread, which ends after {@link #stop()}. */
    public Thread start(String name) {
        return Life.thread(name, this::run);
    }

    private void run() {
        List<Fault> deck = new ArrayList<>();
        while (!stopping && !faults.isEmpty()) {
            if (deck.isEmpty()) {
                deck.addAll(faults);
                Collections.shuffle(deck, random);
            }
            inflict(deck.remove(deck.size() - 1));
            Pause.millis(random.nextInt(2 * pauseMillis + 1));
        }
    }

    private void inflict(Fault fault) {
        Strike strike = new Strike(history, random, fault);
        try {
            fault.body().inflict(strike);
        } catch (Throwable e) {
            history.write(history.line("broken").put("note", fault.kind() + ": " + e));
        } finally {
            strike.end();
            inflicted.incrementAndGet();
        }
    }

    /** How many faults there were. */
    public int inflicted() {
        return inflicted.get();
    }

    /** Lets it end after the fault that is under way. */
    public void stop() {
        stopping = true;
    }
}
