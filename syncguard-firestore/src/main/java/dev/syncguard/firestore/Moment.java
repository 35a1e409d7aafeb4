package dev.syncguard.firestore;

/**
 * When something was read: by this machine's clock before it asked and after it got the answer, and by the store's.
 *
 * <p>Each side takes the time that is worse for itself. Contenders judge by {@code sentMs}, owners by {@code receivedMs}:
 * so the time that a request was under way cannot add to the error of a clock (see the module's documentation).
 */
record Moment(long sentMs, long receivedMs, long storeMs) {

    /** How far this machine's clock is ahead of the store's at least; negative if it is behind, 0 if it cannot be known. */
    long aheadMs() {
        if (storeMs < sentMs) {
            return sentMs - storeMs;
        }
        return Math.min(0, receivedMs - storeMs);
    }
}
