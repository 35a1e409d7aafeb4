package dev.syncguard;

import dev.syncguard.LockException.Code;
import java.util.regex.Pattern;

/**
 * A fencing token: the number of a grant, strictly increasing for each key.
 *
 * <p>Hand it to whatever the lock protects, and let that refuse a fence lower than the highest one it has seen: a holder
 * that was paused past its lease then cannot do damage any more. The text form always has 15 digits, so that it sorts
 * as text in the same order as the number.
 *
 * @param value the number, from 0 to 999,999,999,999,999
 */
public record Fence(long value) implements Comparable<Fence> {

    /** The highest fence a backend grants; above it every acquire fails. */
    public static final Fence MAX = new Fence(900_000_000_000_000L);

    /** From here on each grant is logged as a warning: time to move to a new key. */
    public static final Fence WARN = new Fence(90_000_000_000_000L);

    private static final int DIGITS = 15;
    private static final long CAPACITY = 999_999_999_999_999L;
    private static final Pattern FORMAT = Pattern.compile("[0-9]{15}");

    /**
     * Checks that the number fits in 15 digits.
     *
     * @param value the number
     */
    public Fence {
        if (value < 0 || value > CAPACITY) {
            throw new LockException(Code.INVALID_ARGUMENT, "a fence is a number from 0 to " + CAPACITY);
        }
    }

    /**
     * Reads the text form, as it is stored and as {@link #toString()} writes it.
     *
     * @param text exactly 15 ASCII digits
     * @return the fence
     * @throws LockException with {@link Code#INVALID_ARGUMENT} for anything else
     */
    public static Fence parse(String text) {
        if (text == null || !FORMAT.matcher(text).matches()) {
            throw new LockException(Code.INVALID_ARGUMENT, "a fence is written as exactly 15 digits");
        }
        return new Fence(Long.parseLong(text));
    }

    /**
     * Returns whether this fence was granted after the other one, for the same key.
     *
     * @param other a fence of the same key
     * @return whether this one is higher
     */
    public boolean isNewerThan(Fence other) {
        return value > other.value;
    }

    @Override
    public int compareTo(Fence other) {
        return Long.compare(value, other.value);
    }

    /** Returns the 15 digits, for example {@code 000000000000042}. */
    @Override
    public String toString() {
        String digits = Long.toString(value);
        return "0".repeat(DIGITS - digits.length()) + digits;
    }
}
