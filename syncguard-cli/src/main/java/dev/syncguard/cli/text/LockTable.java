package dev.syncguard.cli.text;

import dev.syncguard.KeyHash;
import dev.syncguard.spi.StoredLock;

/**
 * A table of locks that fits into a number of columns. Keys, where they are shown, are always visible: a narrow table has
 * no hashes and no bars beside them.
 */
public final class LockTable {

    /** A width for what is not read on a terminal. */
    public static final int UNLIMITED = Integer.MAX_VALUE;

    private static final String HASH_HEADING = "KEY HASH                  ";
    private static final String HEADING = "AGE       LEFT      FENCE          ";
    private static final String GAP = "  ";
    private static final int SHORTEST_KEY = 16;
    private static final int LONGEST_BAR = 20;
    private static final int WITH_KEY = HEADING.length() + GAP.length() + SHORTEST_KEY;

    private final boolean raw;
    private final int width;
    private final boolean hasHash;
    private final int bar;

    private LockTable(boolean raw, int width, boolean hasHash, int bar) {
        this.raw = raw;
        this.width = width;
        this.hasHash = hasHash;
        this.bar = bar;
    }

    /**
     * Plans a table.
     *
     * @param raw whether to show keys
     * @param width the columns that there are, or {@link #UNLIMITED}
     * @return a table without bars
     */
    public static LockTable of(boolean raw, int width) {
        return new LockTable(raw, width, !raw || width >= HASH_HEADING.length() + WITH_KEY, 0);
    }

    /** Plans a table with bars, where there is room for them; beside keys they count more than hashes. */
    static LockTable withBars(boolean raw, int width) {
        if (raw) {
            int bar = width < WITH_KEY + GAP.length() + LONGEST_BAR ? 0 : LONGEST_BAR;
            boolean hasHash = width >= HASH_HEADING.length() + WITH_KEY + GAP.length() + LONGEST_BAR;
            return new LockTable(true, width, hasHash, bar);
        }
        int room = width - HASH_HEADING.length() - HEADING.length() - GAP.length();
        return new LockTable(false, width, true, Math.max(0, Math.min(LONGEST_BAR, room)));
    }

    /** Returns the length of the bars; 0 if there are none. */
    int bar() {
        return bar;
    }

    /**
     * Returns the heading.
     *
     * @return one line
     */
    public String heading() {
        String key = raw ? (bar > 0 ? GAP + " ".repeat(bar) : "") + GAP + "KEY" : "";
        return Columns.fit(((hasHash ? HASH_HEADING : "") + HEADING + key).stripTrailing(), width);
    }

    /**
     * Returns a row.
     *
     * @param lock a lock
     * @param nowMs this machine's clock; age and time left are off by as much as it differs from the store's
     * @return one line
     */
    public String row(StoredLock lock, long nowMs) {
        return row(lock, nowMs, "");
    }

    /** Returns a row with a bar of {@link #bar()} columns, painted or not. */
    String row(StoredLock lock, long nowMs, String painted) {
        String plain = (hasHash ? KeyHash.canonical().hash(lock.key()) + GAP : "")
                + padded(Durations.text(Math.max(0, nowMs - lock.acquiredAtMs())))
                + padded(Durations.text(Math.max(0, lock.expiresAtMs() - nowMs)))
                + lock.fence();
        int used = plain.length() + (bar > 0 ? GAP.length() + bar : 0) + GAP.length();
        return Columns.fit(plain, width)
                + (bar > 0 ? GAP + painted : "")
                + (raw ? GAP + Columns.fit(Printable.of(lock.key()), width - used) : "");
    }

    private static String padded(String text) {
        return text + " ".repeat(Math.max(2, 10 - text.length()));
    }
}
