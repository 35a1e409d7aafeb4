package dev.syncguard.cli.run;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.function.BiConsumer;

/**
 * Takes signals of the operating system. The JDK offers that in {@code sun.misc.Signal} only, whose use is a warning that
 * cannot be switched off: hence by reflection.
 */
final class SignalHook {

    private final Class<?> signalType;
    private final Class<?> handlerType;
    private final Method handle;

    SignalHook() {
        try {
            signalType = Class.forName("sun.misc.Signal");
            handlerType = Class.forName("sun.misc.SignalHandler");
            handle = signalType.getMethod("handle", signalType, handlerType);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("this JDK cannot take signals", e);
        }
    }

    /** Calls the handler with name and number from now on, unless the signal was ignored until now: it then stays so. */
    void take(String name, BiConsumer<String, Integer> handler) {
        try {
            Object signal = signalType.getConstructor(String.class).newInstance(name);
            int number = (Integer) signalType.getMethod("getNumber").invoke(signal);
            Object before = handle.invoke(null, signal, proxy(() -> handler.accept(name, number)));
            Object ignored = handlerType.getField("SIG_IGN").get(null);
            if (ignored.equals(before)) {
                handle.invoke(null, signal, ignored);
            }
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("this JDK cannot take the signal " + name, e);
        }
    }

    private Object proxy(Runnable action) {
        return Proxy.newProxyInstance(
                handlerType.getClassLoader(), new Class<?>[] {handlerType}, (self, method, args) -> {
                    if (method.getName().equals("handle")) {
                        action.run();
                        return null;
                    }
                    return switch (method.getName()) {
                        case "equals" -> self == args[0];
                        case "hashCode" -> System.identityHashCode(self);
                        default -> "SignalHook";
                    };
                });
    }
}
