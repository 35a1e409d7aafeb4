package dev.syncguard.cli.run;

import dev.syncguard.AbortSignal;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.cli.text.ExitCode;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** The signals that would end this process: they cancel the wait, and later go to the command with those of users. */
public final class Signals {

    /** What {@link #events()} holds besides the names of signals: something else has changed. */
    public static final String CHANGED = "";

    private final BlockingQueue<String> events = new LinkedBlockingQueue<>();
    private final AbortSignal abort = AbortSignal.create();
    private volatile int first;
    private volatile boolean forwardsAll;

    private Signals() {}

    /**
     * Takes INT, TERM and HUP from now on, unless they were ignored when this process was started (nohup). Ctrl-Z does
     * nothing: a holder that sleeps loses its lease.
     *
     * @return what has arrived
     */
    public static Signals install() {
        Signals signals = new Signals();
        signals.take(new SignalHook());
        return signals;
    }

    private void take(SignalHook hook) {
        hook.take("INT", this::arrived);
        hook.take("TERM", this::arrived);
        hook.take("HUP", this::arrived);
        hook.take("TSTP", (name, number) -> {});
    }

    /**
     * Takes what {@link #install()} takes, and the signals that a command may give a meaning of its own: USR1 and USR2.
     * They do nothing while there is no command.
     *
     * @return what has arrived
     */
    public static Signals installForCommand() {
        Signals signals = new Signals();
        SignalHook hook = new SignalHook();
        hook.take("USR1", signals::arrivedForCommand);
        hook.take("USR2", signals::arrivedForCommand);
        signals.take(hook);
        return signals;
    }

    private void arrivedForCommand(String name, int number) {
        if (forwardsAll) {
            events.add(name);
        }
    }

    /** There is a command now. */
    void forwardAll() {
        forwardsAll = true;
    }

    private void arrived(String name, int number) {
        if (first == 0) {
            first = number;
        }
        events.add(name);
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

    /**
     * Returns the exit code of a wait that a signal ended.
     *
     * @param failure how the wait ended
     * @return 128 and the number of the signal
     * @throws LockException the failure, if it was no signal
     */
    public int exitCode(LockException failure) {
        if (failure.code() == Code.ABORTED && first != 0) {
            return ExitCode.SIGNAL + first;
        }
        throw failure;
    }
}
