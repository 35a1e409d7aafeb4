package dev.syncguard.spring.aop;

import java.lang.reflect.Method;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.scheduling.annotation.Async;

/** How a method ends, and so when its lock is released. */
enum ResultShape {
    /** When it returns. */
    VALUE,
    /** When its stage completes. */
    STAGE,
    /** When its stage completes, for which the thread of {@code @Async} waits. */
    AWAITED,
    /** When its publisher terminates. */
    MONO,
    /** When its publisher terminates. */
    FLUX;

    private static final String CONTINUATION = "kotlin.coroutines.Continuation";

    static ResultShape of(Method method) {
        Class<?> type = method.getReturnType();
        if (isAsync(method)) {
            return Future.class.isAssignableFrom(type) ? AWAITED : VALUE;
        }
        if (type == CompletionStage.class || type == CompletableFuture.class) {
            return STAGE;
        }
        String name = type.getName();
        if (name.equals("reactor.core.publisher.Mono")) {
            return MONO;
        }
        if (name.equals("reactor.core.publisher.Flux")) {
            return FLUX;
        }
        refuseLater(method, type);
        return VALUE;
    }

    private static void refuseLater(Method method, Class<?> type) {
        Class<?>[] parameters = method.getParameterTypes();
        if (parameters.length > 0 && parameters[parameters.length - 1].getName().equals(CONTINUATION)) {
            throw new IllegalStateException(
                    "a suspending function is not supported: its lock would be released when it is"
                            + " suspended first; take the lock inside of it");
        }
        boolean reactive = ReactiveAdapterRegistry.getSharedInstance().getAdapter(type) != null;
        if (Future.class.isAssignableFrom(type) || reactive) {
            throw new IllegalStateException("it returns " + type.getSimpleName()
                    + ", whose end cannot be seen, so that its lock would be released too early; return a"
                    + " CompletableFuture, Mono or Flux");
        }
    }

    private static boolean isAsync(Method method) {
        return AnnotatedElementUtils.hasAnnotation(method, Async.class)
                || AnnotatedElementUtils.hasAnnotation(method.getDeclaringClass(), Async.class);
    }

    /** Returns what a method with a value returns if it is skipped. */
    static @Nullable Object nothing(Method method) {
        return method.getReturnType() == Optional.class ? Optional.empty() : null;
    }
}
