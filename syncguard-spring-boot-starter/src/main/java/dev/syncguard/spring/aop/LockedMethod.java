package dev.syncguard.spring.aop;

import dev.syncguard.AcquisitionTimeoutException;
import dev.syncguard.Fence;
import dev.syncguard.Lease;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockOptions;
import dev.syncguard.spring.OnContention;
import java.lang.reflect.Method;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What the annotation of a method says, checked.
 *
 * @param method the method of the class, not of an interface
 * @param description the annotation and the method, for messages
 * @param key finds the key of a call
 * @param options changes the guard's defaults
 * @param shape how the method ends
 * @param onContention what happens if the lock is not free in time
 * @param fallback is called then, if there is one
 */
record LockedMethod(
        Method method,
        String description,
        KeySource key,
        UnaryOperator<LockOptions> options,
        ResultShape shape,
        OnContention onContention,
        @Nullable Method fallback) {

    /** Finds the key of a call. */
    @FunctionalInterface
    interface KeySource {
        String of(Object target, @Nullable Object[] arguments);
    }

    /** Returns whether a failure says that another client holds the lock, and not that the store has failed or was not asked. */
    boolean isContention(Throwable failure) {
        return failure instanceof AcquisitionTimeoutException timeout
                && timeout.attempts() > 0
                && timeout.getCause() == null;
    }

    boolean isHandlingContention() {
        return fallback != null || onContention == OnContention.SKIP;
    }

    /** Returns the arguments with the lock in the places that are for it. */
    @Nullable
    Object[] withLease(@Nullable Object[] arguments, Lease lease) {
        Class<?>[] types = method.getParameterTypes();
        @Nullable Object[] result = arguments.clone();
        for (int i = 0; i < types.length; i++) {
            if (isGranted(types[i])) {
                if (arguments[i] != null) {
                    throw new LockException(
                            Code.INVALID_ARGUMENT,
                            description + ": the parameter of type " + types[i].getSimpleName()
                                    + " gets the lock of this call; its caller passes null for it");
                }
                result[i] = types[i] == Lease.class ? lease : lease.fence();
            }
        }
        return result;
    }

    static boolean isGranted(Class<?> parameter) {
        return parameter == Lease.class || parameter == Fence.class;
    }
}
