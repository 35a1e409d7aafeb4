package dev.syncguard.fence.jdbc;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts the statements that are executed. */
final class CountingConnection {

    private final AtomicInteger executed = new AtomicInteger();
    private final Connection connection;

    CountingConnection(Connection target) {
        connection = proxy(Connection.class, (proxy, method, arguments) -> {
            Object result = call(target, method, arguments);
            return result instanceof PreparedStatement statement ? counted(statement) : result;
        });
    }

    private PreparedStatement counted(PreparedStatement target) {
        return proxy(PreparedStatement.class, (proxy, method, arguments) -> {
            if (method.getName().startsWith("execute")) {
                executed.incrementAndGet();
            }
            return call(target, method, arguments);
        });
    }

    private static Object call(Object target, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    Connection connection() {
        return connection;
    }

    int executed() {
        return executed.get();
    }
}
