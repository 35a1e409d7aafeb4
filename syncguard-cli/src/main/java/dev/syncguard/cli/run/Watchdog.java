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

/**
 * A small shell beside the command that ends it when this process cannot: when it is killed, or frozen past the lease. It
 * also sends signals to the command's process group, which the JDK cannot.
 *
 * <p>It lives in a session of its own, so that a signal to the process group of {@code syncguard} does not reach it; it
 * ignores all signals that can be ignored; and its arguments do not say {@code syncguard}, so that
 * {@code pkill -9 -f syncguard} leaves it. Every line that it gets has the time that the lease has left: if that passes
 * without a further line, the command is killed. If its input ends before the word "done", this process died: the command
 * gets TERM, and KILL after the grace period, but not later than the lease.
 *
 * <p>Started before the command, while the lock is acquired. A group may not exist yet when a signal comes early
 * ({@code setsid} has not run): then the signal goes to the process itself.
 */
public final class Watchdog implements AutoCloseable {

    /** Gets the grace period and the longest time between two lines in milliseconds. Prints what else helps here. */
    private static final String SCRIPT = """
            trap '' HUP INT QUIT TERM TSTP USR1 USR2
            send() { kill -s "$1" -- "-$pid" || kill -s "$1" "$pid"; }
            end() {
              for _ in 1 2 3 4 5; do
                send KILL
                pkill -KILL -s "$pid"
                sleep 0.1
              done
              exit
            }
            orphan() {
              for _ in 1 2 3 4 5 6 7 8 9 10; do
                for pid in $(grep -lzxF -f <(echo "$entry") /proc/[0-9]*/environ); do
                  pid=${pid#/proc/}
                  pid=${pid%/environ}
                  send KILL
                done
                sleep 0.1
              done
              exit
            }
            seconds() {
              if [ "${BASH_VERSINFO[0]}" -ge 4 ]; then
                printf -v time '%d.%03d' $(($1 / 1000)) $(($1 % 1000))
              else
                time=$((($1 + 999) / 1000))
              fi
            }
            if setpriv --pdeathsig TERM true; then echo pdeathsig; else echo; fi
            read -r word entry || exit
            if [ "$word" = done ]; then exit; fi
            read -r pid left || orphan
            if [ "$pid" = done ]; then exit; fi
            while
              seconds "$left"
              read -r -t "$time" word next
              status=$?
              [ "$status" -eq 0 ]
            do
              left=$next
              case "$word" in
                done) exit ;;
                left) ;;
                *) send "$word" ;;
              esac
            done
            if [ "$status" -gt 128 ]; then end; fi
            send TERM
            left=$((left - $2))
            if [ "$left" -gt "$1" ]; then left=$1; fi
            if [ "$left" -gt 0 ]; then
              seconds "$left"
              sleep "$time"
            fi
            end
            """;

    /** One that cannot live is not started again and again. */
    private static final long RESTART_NANOS = 1_000_000_000;

    private final Duration grace;
    private final Duration beat;
    private final Runnable onDeath;
    private final CompletableFuture<Optional<Process>> starting = new CompletableFuture<>();
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
     * Starts one, beside what the caller does next. Without bash on this system there is none.
     *
     * @param grace how long the command gets to end
     * @param beat the longest time between two calls of {@link #watch}
     * @param onDeath called when the shell has ended
     * @return the watchdog, to be closed
     */
    public static Watchdog start(Duration grace, Duration beat, Runnable onDeath) {
        Watchdog watchdog = new Watchdog(grace, beat, onDeath);
        new Thread(() -> watchdog.starting.complete(watchdog.launch()), "watchdog").start();
        return watchdog;
    }

    private Optional<Process> launch() {
        lastLaunch = System.nanoTime();
        List<String> words = new ArrayList<>(Executable.check("setsid") == 0 ? List.of("setsid", "--") : List.of());
        words.addAll(List.of("bash", "-c", SCRIPT, "lock-watchdog"));
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

    /** Waits until it is there; returns whether the system can tell a process that its parent died. */
    boolean await() {
        awaitStart();
        try {
            return shell.isPresent()
                    && "pdeathsig"
                            .equals(shell.get()
                                    .inputReader(StandardCharsets.US_ASCII)
                                    .readLine());
        } catch (IOException e) {
            return false;
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
