package dev.syncguard.cli.text;

import dev.syncguard.LockId;
import dev.syncguard.spi.StoredLock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A table that is drawn in place on the terminal's second screen; the first comes back when it is closed. */
public final class Screen implements AutoCloseable {

    private static final String OPEN = "\u001b[?1049h\u001b[?25l";
    private static final String CLOSE = "\u001b[?25h\u001b[?1049l";
    private static final String HOME = "\u001b[H";
    private static final String END_OF_LINE = "\u001b[K\n";
    private static final String REST = "\u001b[J";
    private static final int LONGEST_BAR = 20;

    private final boolean shown;
    private final boolean colours;
    private final Map<LockId, Long> longest = new HashMap<>();

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
        StringBuilder frame = new StringBuilder(HOME);
        String count = locks.size() + (locks.size() == 1 ? " lock" : " locks");
        line(frame, count + "   Ctrl-C ends", size[1], Style.FAINT);
        line(frame, LockRows.HEADING + (raw ? " ".repeat(LONGEST_BAR + 14) + "KEY" : ""), size[1], Style.BOLD);
        longest.keySet().retainAll(locks.stream().map(StoredLock::lockId).collect(Collectors.toSet()));
        int room = Math.max(0, size[0] - 4);
        for (StoredLock lock : locks.subList(0, Math.min(room, locks.size()))) {
            row(frame, lock, raw, nowMs, size[1]);
        }
        if (locks.size() > room) {
            line(frame, "… and " + (locks.size() - room) + " more", size[1], Style.FAINT);
        }
        StandardStreams.out(frame.append(REST).toString());
    }

    private void line(StringBuilder frame, String text, int width, Style style) {
        frame.append(style.paint(cut(text, width), colours)).append(END_OF_LINE);
    }

    private static String cut(String text, int width) {
        return text.length() <= width ? text : text.substring(0, width);
    }

    /**
     * Coloured by the share of its time that a lock has left. How long its time was nobody has stored: the most that was
     * seen here counts.
     */
    private void row(StringBuilder frame, StoredLock lock, boolean raw, long nowMs, int width) {
        long left = Math.max(0, lock.expiresAtMs() - nowMs);
        long whole = longest.merge(lock.lockId(), Math.max(1, left), Math::max);
        double share = (double) left / whole;
        String plain = LockRows.row(lock, nowMs) + "  ";
        frame.append(cut(plain, width));
        int bar = Math.min(LONGEST_BAR, width - plain.length());
        if (bar > 0) {
            int full = (int) Math.round(share * bar);
            Style style = share > 0.5 ? Style.GOOD : share > 0.2 ? Style.WARN : Style.BAD;
            frame.append(style.paint("█".repeat(full), colours)).append("░".repeat(bar - full));
            if (raw) {
                frame.append(cut("  " + Printable.of(lock.key()), width - plain.length() - bar));
            }
        }
        frame.append(END_OF_LINE);
    }

    @Override
    public void close() {
        if (shown) {
            StandardStreams.out(CLOSE);
        }
    }
}
