package dev.syncguard;

import java.util.Random;

/** Texts for tests: plain ones, marks that combine, any code point, and UTF-16 units that are no text at all. */
final class RandomText {

    private static final String COMBINING = "aeo\u0300\u0301\u0307\u0323\u0344\u1e69\u00e9\u1100\u1161\u11a8\uac00";

    private RandomText() {}

    /** Returns a text of that many UTF-16 units; the shortest and the longest are more likely than those between. */
    static String ofLength(Random random, int min, int max) {
        int length = switch (random.nextInt(8)) {
            case 0 -> min;
            case 1 -> max;
            case 2, 3 -> min + random.nextInt(Math.min(8, max - min) + 1);
            default -> min + random.nextInt(max - min + 1);
        };
        int kind = random.nextInt(4);
        StringBuilder text = new StringBuilder();
        while (text.length() < length) {
            append(text, kind, length - text.length(), random);
        }
        return text.toString();
    }

    private static void append(StringBuilder text, int kind, int room, Random random) {
        switch (kind) {
            case 0 -> text.append((char) random.nextInt(128));
            case 1 -> text.append(COMBINING.charAt(random.nextInt(COMBINING.length())));
            case 2 -> text.append((char) random.nextInt(Character.MAX_VALUE + 1));
            default -> text.appendCodePoint(codePoint(room, random));
        }
    }

    private static int codePoint(int room, Random random) {
        int codePoint = random.nextInt(room > 1 ? Character.MAX_CODE_POINT + 1 : Character.MIN_SURROGATE);
        boolean isHalf = codePoint <= Character.MAX_VALUE && Character.isSurrogate((char) codePoint);
        return isHalf || codePoint == 0 ? 'x' : codePoint;
    }
}
