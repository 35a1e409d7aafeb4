package dev.syncguard.firestore;

/**
 * The client works on its caller's thread at first, and takes an interrupt that comes in that moment for the failure of its
 * request. An operation goes on in spite of it (CAN-2): the flag is given back and the request is sent again, from a thread
 * that no caller interrupts.
 */
final class Interrupts {

    private final Thread caller = Thread.currentThread();

    /** Whether that was it; gives the flag back then. */
    boolean isCause(Throwable failure) {
        boolean interrupted = FirestoreErrors.isInterrupt(failure);
        if (interrupted && Thread.currentThread().equals(caller)) {
            caller.interrupt();
        }
        return interrupted;
    }
}
