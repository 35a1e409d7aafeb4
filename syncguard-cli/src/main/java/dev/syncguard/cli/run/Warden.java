package dev.syncguard.cli.run;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A small shell beside the command. It sends signals to the command's process group, which the JDK cannot; and it ends
 * the group when this process dies without a word (kill -9): its input then ends before the word "done" came.
 *
 * <p>Started before the command, so that the command is never without it, but while the lock is got. It ignores the signals of the terminal. A group
 * may not exist yet when a signal comes early (setsid has not run): then the signal goes to the process itself.
 */
public final class Warden implements AutoCloseable {

    private static final String SCRIPT = """
            trap '' INT TERM HUP TSTP
            send() { kill -s "$1" -- "-$pid" || kill -s "$1" "$pid"; }
            read -r pid || exit 0
            while read -r word; do
              if [ "$word" = done ]; then exit 0; fi
              send "$word"
            done
            send TERM && sleep "$1" && send KILL
            """;

    private final CompletableFuture<Optional<Process>> starting;

    private Warden(CompletableFuture<Optional<Process>> starting) {
        this.starting = starting;
    }

    /**
     * Starts one, beside what the caller does next. Without a shell on this system there is none, and {@link #send} says so.
     *
     * @param grace how long the command gets to end
     * @return the warden, to be closed
     */
    public static Warden start(Duration grace) {
        CompletableFuture<Optional<Process>> starting = new CompletableFuture<>();
        new Thread(() -> starting.complete(launch(Math.max(1, grace.toSeconds()))), "warden").start();
        return new Warden(starting);
    }

    private static Optional<Process> launch(long seconds) {
        try {
            return Optional.of(new ProcessBuilder("sh", "-c", SCRIPT, "syncguard-warden", Long.toString(seconds))
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start());
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Waits until it is there. */
    void await() {
        starting.join();
    }

    /** Says what to watch over. */
    void watch(Process command) {
        tell(Long.toString(command.pid()));
    }

    /** Sends a signal; false if the warden has gone. */
    boolean send(String signal) {
        return tell(signal);
    }

    private boolean tell(String word) {
        Process shell = starting.join().orElse(null);
        if (shell == null || !shell.isAlive()) {
            return false;
        }
        try {
            OutputStream ear = shell.getOutputStream();
            ear.write((word + "\n").getBytes(StandardCharsets.US_ASCII));
            ear.flush();
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void close() {
        tell("done");
        starting.join().ifPresent(shell -> {
            try {
                shell.getOutputStream().close();
            } catch (IOException e) {
                shell.destroy();
            }
        });
    }
}
