package dev.syncguard.cli.text;

import dev.syncguard.spi.StoredLock;
import java.util.List;

/** A table that is drawn in place on the terminal's second screen; the first comes back when it is closed. */
public final class Screen implements AutoCloseable {

    private static final String OPEN = "\u001b[?1049h\u001b[?25l";
    private static final String CLOSE = "\u001b[?25h\u001b[?1049l";
    private static final String HOME = "\u001b[H";
    private static final String END_OF_LINE = "\u001b[K\n";
    private static final String REST = "\u001b[J";

    private final boolean shown;
    private final boolean colours;
    private final TimeBars bars = new TimeBars();

    private Screen(boolean shown, boolean colours) {
        this.shown = shown;
        this.colours = colours;
    }

    /**
     * Opens the second screen.
     *
     * @param shown false to leave the terminal alone
     * @param colours whether to use colours
     * @return the screen, to be closed
     */
    public static Screen open(boolean shown, boolean colours) {
        if (shown) {
            StandardStreams.out(OPEN);
        }
        return new Screen(shown, colours);
    }

    /**
     * Draws the table.
     *
     * @param locks the locks, the first on top; as many as fit
     * @param raw whether to show keys
     * @param nowMs this machine's clock
     */
    public void draw(List<StoredLock> locks, boolean raw, long nowMs) {
        int[] size = Terminal.size();
        LockTable table = LockTable.withBars(raw, size[1], locks.stream().anyMatch(lock -> lock.label() != null));
        StringBuilder frame = new StringBuilder(HOME);
        String count = locks.size() + (locks.size() == 1 ? " lock" : " locks");
        line(frame, Style.FAINT.paint(Columns.fit(count + "   Ctrl-C ends", size[1]), colours));
        line(frame, Style.BOLD.paint(table.heading(), colours));
        bars.retain(locks);
        int room = Math.max(0, size[0] - 4);
        for (StoredLock lock : locks.subList(0, Math.min(room, locks.size()))) {
            line(frame, table.row(lock, nowMs, bar(bars.share(lock, nowMs), table.bar())));
        }
        if (locks.size() > room) {
            String rest = "… and " + (locks.size() - room) + " more";
            line(frame, Style.FAINT.paint(Columns.fit(rest, size[1]), colours));
        }
        StandardStreams.out(frame.append(REST).toString());
    }

    private static void line(StringBuilder frame, String text) {
        frame.append(text).append(END_OF_LINE);
    }

    /** Coloured by the share of its time that a lock has left. */
    private String bar(double share, int length) {
        int full = (int) Math.round(share * length);
        Style style = share > 0.5 ? Style.GOOD : share > 0.2 ? Style.WARN : Style.BAD;
        return style.paint("█".repeat(full), colours) + "░".repeat(length - full);
    }

    @Override
    public void close() {
        if (shown) {
            StandardStreams.out(CLOSE);
        }
    }
}
