package dev.syncguard.cli.text;

import dev.syncguard.KeyHash;
import dev.syncguard.spi.StoredLock;

/**
 * A table of locks that fits into a number of columns. Keys, where they are shown, are always visible: a narrow table has
 * no hashes, no bars and at last no holders beside them.
 */
public final class LockTable {

    /** A width for what is not read on a terminal. */
    public static final int UNLIMITED = Integer.MAX_VALUE;

    private static final String HASH_HEADING = "KEY HASH                  ";
    private static final String HEADING = "AGE       LEFT      FENCE          ";
    private static final String GAP = "  ";
    private static final int SHORTEST_KEY = 16;
    private static final int LONGEST_BAR = 20;
    private static final int SHORTEST_WHO = 10;
    private static final int WHO = 24;
    private static final int WITH_KEY = HEADING.length() + GAP.length() + SHORTEST_KEY;

    private final boolean raw;
    private final int width;
    private final boolean hasHash;
    private final int bar;
    private final int who;

    private LockTable(boolean raw, int width, boolean hasHash, int bar, int who) {
        this.raw = raw;
        this.width = width;
        this.hasHash = hasHash;
        this.bar = bar;
        this.who = who;
    }

    /**
     * Plans a table.
     *
     * @param raw whether to show keys
     * @param width the columns that there are, or {@link #UNLIMITED}
     * @return a table without bars
     */
    public static LockTable of(boolean raw, int width) {
        return raw ? withKeys(width, 0, true) : withHashes(width, 0, true);
    }

    /** Plans a table with bars, where there is room for them; beside keys they count more than hashes. */
    static LockTable withBars(boolean raw, int width, boolean hasHolders) {
        return raw ? withKeys(width, LONGEST_BAR, hasHolders) : withHashes(width, LONGEST_BAR, hasHolders);
    }

    private static LockTable withKeys(int width, int longestBar, boolean hasHolders) {
        int used = WITH_KEY;
        int who = hasHolders && width >= used + GAP.length() + WHO ? WHO : 0;
        used += who == 0 ? 0 : GAP.length() + who;
        int bar = width >= used + GAP.length() + longestBar ? longestBar : 0;
        used += longestBar == 0 ? 0 : GAP.length() + longestBar;
        return new LockTable(true, width, width >= HASH_HEADING.length() + used, bar, who);
    }

    private static LockTable withHashes(int width, int longestBar, boolean hasHolders) {
        int room = width - HASH_HEADING.length() - HEADING.length() - GAP.length();
        int who = 0;
        if (hasHolders && room >= SHORTEST_WHO) {
            who = longestBar == 0 ? room : Math.min(room, Math.max(WHO, room - longestBar - GAP.length()));
            room -= who + GAP.length();
        }
        return new LockTable(false, width, true, Math.max(0, Math.min(longestBar, room)), who);
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
        String besideBar = bar > 0 ? GAP + " ".repeat(bar) : "";
        String holder = who == 0 ? "" : GAP + (raw ? Columns.pad("WHO", who) : "WHO");
        String key = raw ? GAP + "KEY" : "";
        return Columns.fit(((hasHash ? HASH_HEADING : "") + HEADING + besideBar + holder + key).stripTrailing(), width);
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
        int used = plain.length() + (bar > 0 ? GAP.length() + bar : 0) + (who > 0 ? GAP.length() + who : 0);
        return Columns.fit(plain, width)
                + (bar > 0 ? GAP + painted : "")
                + holder(lock)
                + (raw ? GAP + Columns.fit(Printable.of(lock.key()), width - used - GAP.length()) : "");
    }

    private String holder(StoredLock lock) {
        if (who == 0 || (!raw && lock.label() == null)) {
            return "";
        }
        String label = lock.label() == null ? "" : Printable.of(lock.label());
        return GAP + (raw ? Columns.pad(label, who) : Columns.fit(label, who));
    }

    private static String padded(String text) {
        return text + " ".repeat(Math.max(2, 10 - text.length()));
    }
}
