package dev.syncguard.cli.text;

/** Makes a text harmless to a terminal: a key may hold what moves the cursor. */
public final class Printable {

    private Printable() {}

    /**
     * Names control characters instead of printing them.
     *
     * @param text any text
     * @return the text on one line
     */
    public static String of(String text) {
        StringBuilder printable = new StringBuilder(text.length());
        text.codePoints().forEach(c -> {
            if (isActive(c)) {
                printable.append("\\u{").append(Integer.toHexString(c)).append('}');
            } else {
                printable.appendCodePoint(c);
            }
        });
        return printable.toString();
    }

    /** Returns whether a terminal may act on a character: controls of both sets, marks of direction, ends of lines. */
    static boolean isActive(int c) {
        int type = Character.getType(c);
        return Character.isISOControl(c)
                || type == Character.FORMAT
                || type == Character.LINE_SEPARATOR
                || type == Character.PARAGRAPH_SEPARATOR
                || type == Character.SURROGATE;
    }
}
