package dev.syncguard.cli.run;

import dev.syncguard.cli.text.Durations;
import dev.syncguard.cli.text.Output;
import dev.syncguard.cli.text.StandardStreams;
import dev.syncguard.cli.text.Style;
import dev.syncguard.cli.text.Terminal;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** One line on a terminal, drawn again and again while somebody waits, and wiped at the end. */
final class Progress implements AutoCloseable {

    private static final String WHEEL = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏";
    private static final String WIPE = "\r\u001b[K";

    private final CountDownLatch over = new CountDownLatch(1);
    private final Thread painter;
    private final boolean colours;
    private final long start = System.nanoTime();
    private final Duration holderEnds;
    private final Patience patience;

    private Progress(boolean colours, Duration holderEnds, Patience patience) {
        this.colours = colours;
        this.holderEnds = holderEnds;
        this.patience = patience;
        this.painter = new Thread(this::paint, "progress");
        painter.setDaemon(true);
    }

    static Progress start(Output output, Duration holderEnds, Patience patience) {
        Progress progress = new Progress(output.hasColours(2), holderEnds, patience);
        if (Terminal.is(2)) {
            progress.painter.start();
        }
        return progress;
    }

    private void paint() {
        int turn = 0;
        try {
            do {
                StandardStreams.err(WIPE + line(turn++));
            } while (!over.await(100, TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        StandardStreams.err(WIPE);
    }

    private String line(int turn) {
        long waited = (System.nanoTime() - start) / 1_000_000;
        long ends = holderEnds.toMillis() - waited;
        String wheel = String.valueOf(WHEEL.charAt(turn % WHEEL.length()));
        return Style.NAME.paint(wheel, colours) + " waiting for the lock, " + Durations.text(waited) + " of "
                + Durations.text(patience.whole().toMillis())
                + Style.FAINT.paint(ends > 0 ? " (its holder has " + Durations.text(ends) + " left)" : "", colours);
    }

    @Override
    public void close() {
        over.countDown();
        try {
            painter.join(1000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
