package dev.syncguard.spring.aop;

import dev.syncguard.Lease;
import dev.syncguard.LockOptions;
import dev.syncguard.SyncGuard;
import dev.syncguard.spring.CurrentLease;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.interceptor.ExposeInvocationInterceptor;

/** One call of a locked method. */
final class Call {

    private final SyncGuard guard;
    private final LockedMethod locked;
    private final ProxyMethodInvocation invocation;

    Call(SyncGuard guard, LockedMethod locked, ProxyMethodInvocation invocation) {
        this.guard = guard;
        this.locked = locked;
        this.invocation = invocation;
    }

    SyncGuard guard() {
        return guard;
    }

    LockedMethod locked() {
        return locked;
    }

    String key() {
        return locked.key().of(target(), invocation.getArguments());
    }

    LockOptions options() {
        return locked.options().apply(guard.options());
    }

    /** Calls the method on the thread that has called the bean. */
    @Nullable
    Object proceed(Lease lease) throws Throwable {
        return proceed(lease, ProxyMethodInvocation::proceed);
    }

    /** Calls the method on another thread: aspects inside of ours find the invocation by the thread. */
    @Nullable
    Object proceedElsewhere(Lease lease) throws Throwable {
        return proceed(lease, ExposeInvocationInterceptor.INSTANCE::invoke);
    }

    /** An invocation is used up by a call, and a publisher may be subscribed to again. */
    private @Nullable Object proceed(Lease lease, Step step) throws Throwable {
        @Nullable Object[] arguments = locked.withLease(invocation.getArguments(), lease);
        ProxyMethodInvocation once = (ProxyMethodInvocation) invocation.invocableClone(arguments);
        CurrentLease.Scope scope = CurrentLease.with(lease);
        try {
            return step.proceed(once);
        } finally {
            scope.close();
        }
    }

    /** What is done where the lock is not free. */
    @Nullable
    Object contended() throws Throwable {
        return locked.fallback() == null
                ? ResultShape.nothing(locked.method())
                : Fallbacks.call(locked, locked.fallback(), target(), invocation.getArguments());
    }

    private Object target() {
        return Objects.requireNonNull(invocation.getThis(), "a locked method belongs to a bean");
    }

    /** Goes on with an invocation. */
    @FunctionalInterface
    private interface Step {
        @Nullable
        Object proceed(ProxyMethodInvocation invocation) throws Throwable;
    }
}
