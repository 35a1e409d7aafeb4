package dev.syncguard.spring.aop;

import dev.syncguard.SyncGuard;
import java.util.Optional;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.support.AopUtils;

/** Holds the lock around a method. The guard is asked for when the first method is called, not when beans are proxied. */
final class LockInterceptor implements MethodInterceptor {

    private final LockedMethods methods;
    private final Supplier<SyncGuard> guard;

    LockInterceptor(LockedMethods methods, Supplier<SyncGuard> guard) {
        this.methods = methods;
        this.guard = guard;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Object target = invocation.getThis();
        Optional<LockedMethod> locked = target == null
                ? Optional.empty()
                : methods.find(invocation.getMethod(), AopUtils.getTargetClass(target));
        if (locked.isEmpty() || !(invocation instanceof ProxyMethodInvocation proxied)) {
            return invocation.proceed();
        }
        Call call = new Call(guard.get(), locked.get(), proxied);
        return switch (locked.get().shape()) {
            case VALUE, AWAITED -> BlockingCalls.call(call);
            case STAGE -> StageCalls.call(call);
            case MONO -> ReactiveCalls.mono(call);
            case FLUX -> ReactiveCalls.flux(call);
        };
    }
}
