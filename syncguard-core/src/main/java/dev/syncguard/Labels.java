package dev.syncguard;

import static dev.syncguard.Arguments.required;

import dev.syncguard.LockException.Code;

/** What may be written beside a lock, for people to read on a terminal. */
final class Labels {

    private static final int LONGEST = 128;

    private Labels() {}

    static String checked(String label) {
        boolean allowed = !required("label", label).isBlank()
                && label.length() <= LONGEST
                && label.codePoints().allMatch(Labels::isPlain);
        if (!allowed) {
            throw new LockException(
                    Code.INVALID_ARGUMENT,
                    "a label has 1 to 128 characters, not all blank, without control characters and marks of direction");
        }
        return label;
    }

    /** A lone surrogate would come back as something else. */
    private static boolean isPlain(int c) {
        int type = Character.getType(c);
        return !Character.isISOControl(c)
                && type != Character.FORMAT
                && type != Character.LINE_SEPARATOR
                && type != Character.PARAGRAPH_SEPARATOR
                && type != Character.SURROGATE;
    }
}
