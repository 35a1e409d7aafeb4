package dev.syncguard.tck;

import dev.syncguard.LockKey;
import java.nio.charset.StandardCharsets;

/** Keys of the greatest length, filled up with characters of one to four bytes. */
enum LongKeys {
    ONE_BYTE("k"),
    TWO_BYTES("\u00e9"),
    THREE_BYTES("\u9501"),
    FOUR_BYTES("\ud83d\udd12");

    private final String filler;

    LongKeys(String filler) {
        this.filler = filler;
    }

    /** Returns a key of exactly 512 bytes with a given, one-byte end. */
    String key(String token, String end) {
        int free = LockKey.MAX_BYTES - token.length() - end.length();
        int size = filler.getBytes(StandardCharsets.UTF_8).length;
        return token + filler.repeat(free / size) + "-".repeat(free % size) + end;
    }
}
