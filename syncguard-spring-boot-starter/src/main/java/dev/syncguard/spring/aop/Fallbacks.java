package dev.syncguard.spring.aop;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/** Methods that are called where the lock is not free. */
final class Fallbacks {

    private Fallbacks() {}

    static Method find(Method method, String name) {
        Class<?>[] parameters = Arrays.stream(method.getParameterTypes())
                .filter(type -> !LockedMethod.isGranted(type))
                .toArray(Class<?>[]::new);
        Method fallback = ReflectionUtils.findMethod(method.getDeclaringClass(), name, parameters);
        if (fallback == null) {
            String wanted = String.join(
                    ", ", Arrays.stream(parameters).map(Class::getSimpleName).toList());
            throw new IllegalStateException("there is no method " + name + "(" + wanted + ") in "
                    + method.getDeclaringClass().getSimpleName() + " to fall back to");
        }
        if (!ClassUtils.isAssignable(method.getReturnType(), fallback.getReturnType())) {
            throw new IllegalStateException("the fallback " + name + " returns "
                    + fallback.getReturnType().getSimpleName() + " instead of "
                    + method.getReturnType().getSimpleName());
        }
        ReflectionUtils.makeAccessible(fallback);
        return fallback;
    }

    static @Nullable Object call(LockedMethod locked, Method fallback, Object target, @Nullable Object[] arguments)
            throws Throwable {
        Class<?>[] types = locked.method().getParameterTypes();
        @Nullable
        Object[] given = IntStream.range(0, types.length)
                .filter(i -> !LockedMethod.isGranted(types[i]))
                .mapToObj(i -> arguments[i])
                .toArray();
        try {
            return fallback.invoke(target, given);
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }
}
