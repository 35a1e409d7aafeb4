package dev.syncguard;

import dev.syncguard.LockException.Code;
import org.jspecify.annotations.Nullable;

/** Checks what an application passes to the API; for backends {@code spi.support.Settings} does. */
final class Arguments {

    private Arguments() {}

    /** Refuses null. */
    static <T> T required(String name, @Nullable T value) {
        if (value == null) {
            throw new LockException(Code.INVALID_ARGUMENT, name + " must not be null");
        }
        return value;
    }
}
