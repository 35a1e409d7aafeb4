package dev.syncguard.firestore;

import java.util.function.Supplier;

/** Keeps the interrupt flag of the calling thread from the client, which swallows it in about one call of a thousand. */
final class InterruptFlag {

    private InterruptFlag() {}

    static <T> T kept(Supplier<T> call) {
        boolean interrupted = Thread.interrupted();
        try {
            return call.get();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
