package dev.syncguard;

import dev.syncguard.spi.AsyncLockBackend;
import dev.syncguard.spi.HandOver;
import dev.syncguard.spi.LeaseObserver;
import dev.syncguard.spi.LockBackend;
import dev.syncguard.spi.LockListing;
import dev.syncguard.spi.ReleaseSignals;
import dev.syncguard.spi.ReleaseSignals.Subscription;
import dev.syncguard.spi.StoreDiagnostics;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** A backend and everything that it hands out, with a look at each call, which has a name: the method and how often it was called. */
final class CallProxy {

    /** One call of a method. */
    record Point(String method, int index) {}

    /** Does a call, and something before, after or instead of it. */
    interface Interceptor {
        Object around(Point point, Invocation call) throws Throwable;
    }

    interface Invocation {
        Object proceed() throws Throwable;
    }

    private static final List<Class<?>> PARTS = List.of(
            LockBackend.class,
            AsyncLockBackend.class,
            ReleaseSignals.class,
            HandOver.class,
            Subscription.class,
            LockListing.class,
            StoreDiagnostics.class,
            LeaseObserver.class);

    private final Map<String, AtomicInteger> counts = new ConcurrentHashMap<>();
    private final Interceptor interceptor;

    CallProxy(Interceptor interceptor) {
        this.interceptor = interceptor;
    }

    LockBackend around(LockBackend backend) {
        return (LockBackend) wrap(backend);
    }

    private Object wrap(Object value) {
        if (value instanceof Optional<?> optional) {
            return optional.map(this::wrap);
        }
        return PARTS.stream()
                .filter(part -> part.isInstance(value))
                .findFirst()
                .map(part -> proxy(part, value))
                .orElse(value);
    }

    private Object proxy(Class<?> part, Object target) {
        return Proxy.newProxyInstance(part.getClassLoader(), new Class<?>[] {part}, (self, method, arguments) -> {
            if (method.getDeclaringClass() == Object.class) {
                return method.invoke(target, arguments);
            }
            String name = part.getSimpleName() + "." + method.getName();
            int index = counts.computeIfAbsent(name, n -> new AtomicInteger()).getAndIncrement();
            return interceptor.around(new Point(name, index), () -> wrap(invoke(method, target, arguments)));
        });
    }

    private static Object invoke(Method method, Object target, Object[] arguments) throws Throwable {
        try {
            method.setAccessible(true);
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
