package dev.syncguard.spring.aop;

import dev.syncguard.AcquisitionTimeoutException;
import dev.syncguard.Lease;
import dev.syncguard.LockOptions;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/** Methods that are done when they return. */
final class BlockingCalls {

    private static final boolean TRANSACTIONS = ClassUtils.isPresent(
            "org.springframework.transaction.support.TransactionSynchronizationManager",
            BlockingCalls.class.getClassLoader());

    private BlockingCalls() {}

    static @Nullable Object call(Call call) throws Throwable {
        String key = call.key();
        Body body = new Body(call);
        try {
            if (TRANSACTIONS && CallerTransaction.isActive()) {
                return body.apply(CallerTransaction.lease(call, key));
            }
            return run(call, key, body);
        } catch (AcquisitionTimeoutException e) {
            // One that the method has thrown is about another lock.
            if (body.entered
                    || !call.locked().isHandlingContention()
                    || !call.locked().isContention(e)) {
                throw e;
            }
        } catch (Thrown e) {
            throw e.unwrap();
        }
        return call.contended();
    }

    private static @Nullable Object run(Call call, String key, Body body) {
        LockOptions options = call.options();
        return call.guard().withLock(key, options, body::apply);
    }

    /** The method, as the guard calls it. */
    private static final class Body {

        private final Call call;
        private boolean entered;

        Body(Call call) {
            this.call = call;
        }

        @Nullable
        Object apply(Lease lease) {
            entered = true;
            try {
                Object result = call.proceed(lease);
                return call.locked().shape() == ResultShape.AWAITED ? await(result) : result;
            } catch (RuntimeException | Error e) {
                throw e;
            } catch (Throwable e) {
                throw new Thrown(e);
            }
        }

        /** The thread of {@code @Async} would wait as well, but after the release. */
        private static @Nullable Object await(@Nullable Object result) throws Throwable {
            if (result instanceof Future<?> future) {
                try {
                    future.get();
                } catch (ExecutionException e) {
                    throw e.getCause() == null ? e : e.getCause();
                }
            }
            return result;
        }
    }

    /** Carries what the guard's functions may not throw: exceptions that are checked, and {@code Throwable}s. */
    private static final class Thrown extends RuntimeException {

        private static final long serialVersionUID = 1L;

        Thrown(Throwable cause) {
            super(null, cause, true, false);
        }

        /** With the loss of the lock, which the guard has added. */
        Throwable unwrap() {
            Throwable cause = getCause();
            if (cause == null) {
                return this;
            }
            for (Throwable suppressed : getSuppressed()) {
                cause.addSuppressed(suppressed);
            }
            return cause;
        }
    }
}
