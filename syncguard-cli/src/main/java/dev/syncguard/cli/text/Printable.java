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

    /** Letters and marks that show nothing, so that one key would look like another; U+FE0F is part of many emoji. */
    private static boolean isInvisible(int c) {
        return c == 0x034F
                || c == 0x115F
                || c == 0x1160
                || c == 0x17B4
                || c == 0x17B5
                || (c >= 0x180B && c <= 0x180F)
                || c == 0x3164
                || (c >= 0xFE00 && c < 0xFE0F)
                || c == 0xFFA0
                || (c >= 0xFFF0 && c <= 0xFFF8)
                || (c >= 0xE0000 && c <= 0xE0FFF);
    }

    /**
     * Returns whether a terminal may act on a character, or shows nothing for it: controls of both sets, marks of direction,
     * ends of lines, zero-width and other invisible characters.
     */
    static boolean isActive(int c) {
        int type = Character.getType(c);
        return Character.isISOControl(c)
                || isInvisible(c)
                || type == Character.FORMAT
                || type == Character.LINE_SEPARATOR
                || type == Character.PARAGRAPH_SEPARATOR
                || type == Character.SURROGATE;
    }
}
