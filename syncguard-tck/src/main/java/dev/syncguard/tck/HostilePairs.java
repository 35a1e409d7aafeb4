package dev.syncguard.tck;

/** Keys that must not share a lock, although they look alike. {@code #} stands for a unique text. */
enum HostilePairs {
    CASE("#-job", "#-Job"),
    TRAILING_SPACE("#", "# "),
    LEADING_SPACE("#", " #"),
    TRAILING_COLON("#", "#:"),
    TRAILING_LINE_END("#", "#\n"),
    PREFIX("#", "#1"),
    SEPARATORS("#:a", "#/a"),
    DOUBLED_SEPARATOR("#:a", "#::a"),
    GLOB("#-x", "#-*"),
    LIKE("#-x", "#-_"),
    ESCAPED("#\n", "#\\n"),
    PERCENT_ENCODED("#/a", "#%2Fa"),
    ACCENT("#-e", "#-\u00e9"),
    SHARP_S("#-ss", "#-\u00df"),
    DOTLESS_I("#-i", "#-\u0131"),
    COMPATIBLE_FORM("#-1", "#-\uff11"),
    LIGATURE("#-fi", "#-\ufb01"),
    ZERO_WIDTH("#-ab", "#-a\u200db"),
    CYRILLIC("#-a", "#-\u0430"),
    OWN_COUNTER("#", "fence:#"),
    OWN_INDEX("#", "id:#");

    private final String one;
    private final String two;

    HostilePairs(String one, String two) {
        this.one = one;
        this.two = two;
    }

    String one(String token) {
        return one.replace("#", token);
    }

    String two(String token) {
        return two.replace("#", token);
    }
}
