package dev.syncguard.spi;

/** Lengths in UTF-8 without encoding. */
final class Utf8 {

    private Utf8() {}

    static int length(String text) {
        int bytes = text.length();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c > 0x7ff) {
                // A surrogate pair is two chars and four bytes: two for each half.
                bytes += Character.isSurrogate(c) ? 1 : 2;
            } else if (c > 0x7f) {
                bytes++;
            }
        }
        return bytes;
    }
}
