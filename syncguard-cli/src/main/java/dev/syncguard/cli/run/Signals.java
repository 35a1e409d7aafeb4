package dev.syncguard.cli.run;

import dev.syncguard.AbortSignal;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import sun.misc.Signal;
import sun.misc.SignalHandler;

/** The signals that would end this process: they cancel the wait, and later go to the command. */
@SuppressWarnings("sunapi") // the JDK has no other way
public final class Signals {

    /** What {@link #events()} holds besides the names of signals: something else has changed. */
    public static final String CHANGED = "";

    private final BlockingQueue<String> events = new LinkedBlockingQueue<>();
    private final AbortSignal abort = AbortSignal.create();
    private volatile int first;

    private Signals() {}

    /**
     * Takes INT, TERM and HUP from now on, unless they were ignored when this process was started (nohup). Ctrl-Z does
     * nothing: a holder that sleeps loses its lease.
     *
     * @return what has arrived
     */
    public static Signals install() {
        Signals signals = new Signals();
        for (String name : new String[] {"INT", "TERM", "HUP"}) {
            SignalHandler before = Signal.handle(new Signal(name), signals::arrived);
            if (before.equals(SignalHandler.SIG_IGN)) {
                Signal.handle(new Signal(name), SignalHandler.SIG_IGN);
            }
        }
        Signal.handle(new Signal("TSTP"), signal -> {});
        return signals;
    }

    private void arrived(Signal signal) {
        if (first == 0) {
            first = signal.getNumber();
        }
        events.add(signal.getName());
        abort.abort();
    }

    /**
     * Returns the names of the signals in the order of their arrival.
     *
     * @return a queue that others may add to
     */
    public BlockingQueue<String> events() {
        return events;
    }

    /**
     * Returns what cancels the wait for a lock.
     *
     * @return aborted by the first signal
     */
    public AbortSignal abort() {
        return abort;
    }

    /**
     * Returns the first signal.
     *
     * @return its number, 0 if there was none
     */
    public int first() {
        return first;
    }
}
