package dev.syncguard.cli.text;

/** Fits text into the columns of a terminal. */
final class Columns {

    private static final String MARK = "…";

    private Columns() {}

    /** Returns a text of at most that many columns; one that was cut ends with a mark. */
    static String fit(String text, int columns) {
        if (width(text) <= columns) {
            return text;
        }
        StringBuilder fitted = new StringBuilder();
        int used = 0;
        for (int c : text.codePoints().toArray()) {
            used += width(c);
            if (used > columns - 1) {
                break;
            }
            fitted.appendCodePoint(c);
        }
        return columns < 1 ? "" : fitted + MARK;
    }

    /** Returns a text of exactly that many columns. */
    static String pad(String text, int columns) {
        String fitted = fit(text, columns);
        return fitted + " ".repeat(Math.max(0, columns - width(fitted)));
    }

    private static int width(String text) {
        return text.codePoints().map(Columns::width).sum();
    }

    /** Ideographs and most emoji take two columns, combining marks none. */
    private static int width(int c) {
        int type = Character.getType(c);
        if (type == Character.NON_SPACING_MARK || type == Character.ENCLOSING_MARK) {
            return 0;
        }
        boolean wide = Character.isIdeographic(c)
                || (c >= 0x1100 && c <= 0x115F)
                || (c >= 0x2E80 && c <= 0xA4CF)
                || (c >= 0xAC00 && c <= 0xD7A3)
                || (c >= 0xFE30 && c <= 0xFE6F)
                || (c >= 0xFF00 && c <= 0xFF60)
                || (c >= 0xFFE0 && c <= 0xFFE6)
                || (c >= 0x1F300 && c <= 0x1FAFF);
        return wide ? 2 : 1;
    }
}
