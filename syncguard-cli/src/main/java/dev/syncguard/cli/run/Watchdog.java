package dev.syncguard.cli.run;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A small shell beside the command that ends it when this process cannot: when it is killed, or frozen past the lease.
 *
 * <p>It lives in a session of its own, so that a signal to the process group of {@code syncguard} does not reach it; it
 * ignores all signals that can be ignored; and its arguments do not say {@code syncguard}, so that
 * {@code pkill -9 -f syncguard} leaves it. Every line that it gets has the time that the lease has left: if that passes
 * without a further line, the command is killed. If its input ends before the word "done", this process died: the command
 * gets TERM, and KILL after the grace period, but not later than the lease.
 *
 * <p>Started before the command, while the lock is acquired.
 */
public final class Watchdog implements AutoCloseable {

    /** One that cannot live is not started again and again. */
    private static final long RESTART_NANOS = 1_000_000_000;

    /** Bash starts in milliseconds, also on a busy machine. */
    private static final long START_SECONDS = 10;

    private final Duration grace;
    private final Duration beat;
    private final Runnable onDeath;
    private final CompletableFuture<Optional<Process>> starting = new CompletableFuture<>();
    private final CompletableFuture<String> ready = new CompletableFuture<>();
    private Optional<Process> shell = Optional.empty();
    private boolean awaited;
    private String entry = "";
    private volatile long lastLaunch;

    private Watchdog(Duration grace, Duration beat, Runnable onDeath) {
        this.grace = grace;
        this.beat = beat;
        this.onDeath = onDeath;
    }

    /**
     * Starts one, beside what the caller does next.
     *
     * @param grace how long the command gets to end
     * @param beat the longest time between two calls of {@link #watch}
     * @param onDeath called when the shell has ended
     * @return the watchdog, to be closed
     */
    public static Watchdog start(Duration grace, Duration beat, Runnable onDeath) {
        Watchdog watchdog = new Watchdog(grace, beat, onDeath);
        Thread thread = new Thread(watchdog::launchFirst, "watchdog");
        thread.setDaemon(true); // it may wait for a shell that says nothing
        thread.start();
        return watchdog;
    }

    private void launchFirst() {
        Optional<Process> process = launch();
        starting.complete(process);
        ready.complete(process.map(Watchdog::firstLine).orElse(""));
    }

    private static String firstLine(Process process) {
        try {
            String line = process.inputReader(StandardCharsets.US_ASCII).readLine();
            return line == null ? "" : line;
        } catch (IOException e) {
            return "";
        }
    }

    private Optional<Process> launch() {
        lastLaunch = System.nanoTime();
        List<String> words = new ArrayList<>(Executable.check("setsid") == 0 ? List.of("setsid", "--") : List.of());
        words.addAll(List.of("bash", "-c", ShellText.WATCHDOG, "lock-watchdog"));
        words.addAll(List.of(Long.toString(grace.toMillis()), Long.toString(beat.toMillis())));
        ProcessBuilder builder = new ProcessBuilder(words).redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().keySet().retainAll(Set.of("PATH"));
        try {
            Process process = builder.start();
            var unused = process.onExit().thenRun(onDeath);
            return Optional.of(process);
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /**
     * Waits until it is there, but not for ever: it may be stopped, or die at its start.
     *
     * @return whether the system can tell a process that its parent died; empty if there is no watchdog
     */
    Optional<Boolean> await() throws InterruptedException {
        awaitStart();
        try {
            String line = ready.get(START_SECONDS, TimeUnit.SECONDS);
            return line.isEmpty() ? Optional.empty() : Optional.of(line.equals("pdeathsig"));
        } catch (ExecutionException | TimeoutException e) {
            shell.ifPresent(Process::destroyForcibly);
            return Optional.empty();
        }
    }

    private void awaitStart() {
        if (!awaited) {
            awaited = true;
            shell = starting.join();
        }
    }

    /**
     * Announces a command that is about to be started with this entry in its environment. If this process dies before it
     * can say which process that is, the watchdog looks for the entry: the kernel's signal does not reach a command whose
     * parent died before {@code setpriv} asked for it. The entry names this program, so it is no part of the shell's text.
     */
    void announce(String environmentEntry) {
        entry = environmentEntry;
        boolean unused = write("starting " + entry);
    }

    /** Starts to watch a command. */
    void watch(Process command, long leftMillis) {
        tell(Long.toString(command.pid()), leftMillis);
    }

    /** Says how long the lease lasts now; starts another shell if the last one was killed. */
    void keep(Process command, long leftMillis) {
        if (!tell("left", leftMillis) && System.nanoTime() - lastLaunch > RESTART_NANOS) {
            shell = launch();
            announce(entry);
            watch(command, leftMillis);
        }
    }

    /** Passes a word on, which may be the name of a signal; false if the shell has gone. */
    boolean tell(String word, long leftMillis) {
        return write(word + " " + Math.max(1, leftMillis));
    }

    private boolean write(String line) {
        if (shell.isEmpty() || !shell.get().isAlive()) {
            return false;
        }
        if (ProcessState.isStopped(shell.get())) {
            shell.get().destroyForcibly(); // what it does not read now it would read too late
            return false;
        }
        try {
            OutputStream input = shell.get().getOutputStream();
            input.write((line + "\n").getBytes(StandardCharsets.US_ASCII));
            input.flush();
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void close() {
        awaitStart();
        tell("done", 1);
        shell.ifPresent(process -> {
            try {
                process.getOutputStream().close();
            } catch (IOException e) {
                process.destroy();
            }
        });
    }
}
