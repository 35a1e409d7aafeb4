package dev.syncguard.cli.text;

/** Colours, where they are wanted. */
public enum Style {
    /** It went well. */
    GOOD("32"),
    /** Look here. */
    WARN("33"),
    /** It went wrong. */
    BAD("31"),
    /** The thing that a line is about. */
    NAME("36"),
    /** A heading. */
    BOLD("1"),
    /** Said in passing. */
    FAINT("2");

    private final String code;

    Style(String code) {
        this.code = code;
    }

    /**
     * Paints a text.
     *
     * @param text the text
     * @param colours whether colours are wanted at all
     * @return the text, painted or plain
     */
    public String paint(String text, boolean colours) {
        return colours ? "\u001b[" + code + "m" + text + "\u001b[0m" : text;
    }
}
