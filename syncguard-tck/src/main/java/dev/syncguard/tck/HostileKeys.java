package dev.syncguard.tck;

/** Keys that are valid, whatever a store may think of their characters. {@code #} stands for a unique text. */
enum HostileKeys {
    SPACES(" # a  b "),
    SLASHES("#/a//b/"),
    LEADING_SLASH("/#"),
    DOTS("../#/./.."),
    A_DOT("."),
    TWO_DOTS(".."),
    UNDERSCORES("__#__"),
    QUOTES("#'a\"b`c''"),
    SQL("#'); DROP TABLE locks; --"),
    BACKSLASHES("#\\a\\\\b\\"),
    LINE_ENDS("#\r\na\nb\t"),
    CONTROL_CHARACTERS("#\u0001\u001b[31m\u007f"),
    GLOB("#*?[a-z]"),
    PERCENT("#%_%25"),
    BRACES("{#}{a}"),
    DOLLARS("#${a}$1"),
    JSON("{\"lockId\":\"#\"}"),
    LIKE_AN_INDEX_ENTRY("id:#"),
    LIKE_A_COUNTER("fence:#"),
    COLONS("::#::"),
    ACCENTS("#-\u00e4\u00f6\u00fc\u00df-\u00e9"),
    EMOJI("#-\ud83d\udd12\ud83d\udc69\u200d\ud83d\udcbb"),
    RIGHT_TO_LEFT("#-\u05e9\u05dc\u05d5\u05dd-\u202e"),
    CHINESE("#-\u9501\u5b9a"),
    BYTE_ORDER_MARK("\ufeff#"),
    NONCHARACTER("#\uffff"),
    LINE_SEPARATOR("#\u2028a");

    private final String shape;

    HostileKeys(String shape) {
        this.shape = shape;
    }

    String key(String token) {
        return shape.replace("#", token);
    }
}
