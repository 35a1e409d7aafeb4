package dev.syncguard.benchmarks.postgres;

import dev.syncguard.AbortSignal;
import dev.syncguard.LockKey;
import dev.syncguard.Ttl;
import dev.syncguard.postgres.PostgresLockBackend;
import dev.syncguard.spi.AcquireRequest;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** One cycle of our backend, overheard: its statements are nobody else's business, and a copy of them would grow old. */
final class RecordedCycle {

    private static final String KEY = "recorded-key";

    private final List<Recorded> statements = new CopyOnWriteArrayList<>();
    private String lockId = "";

    /**
     * A prepared statement.
     *
     * @param sql its text
     * @param arguments what was bound, by position
     */
    record Recorded(String sql, Map<Integer, Object> arguments) {}

    private RecordedCycle() {}

    static RecordedCycle on(DataSource source) {
        RecordedCycle cycle = new RecordedCycle();
        try (PostgresLockBackend backend = PostgresLockBackend.builder(
                        cycle.overhear(DataSource.class, source, cycle::connection))
                .pollOnly()
                .build()) {
            LockKey key = LockKey.of(KEY);
            AcquireRequest request = new AcquireRequest(key, backend.newLockId(key), Ttl.DEFAULT, false);
            cycle.lockId = request.lockId().value();
            backend.acquire(request, AbortSignal.none());
            backend.release(request.lockId(), AbortSignal.none());
        }
        return cycle;
    }

    Recorded acquire() {
        return found(KEY);
    }

    /** The one that names the lock id and not the key. */
    Recorded release() {
        return statements.stream()
                .filter(one -> !one.arguments().containsValue(KEY))
                .filter(one -> one.arguments().containsValue(lockId))
                .findFirst()
                .orElseThrow();
    }

    private Recorded found(String argument) {
        return statements.stream()
                .filter(one -> one.arguments().containsValue(argument))
                .findFirst()
                .orElseThrow();
    }

    /** Binds what was bound then, with another key and lock id. */
    void bind(Recorded recorded, PreparedStatement statement, String key, String id) throws SQLException {
        for (Map.Entry<Integer, Object> argument : recorded.arguments().entrySet()) {
            if (argument.getValue() instanceof String text) {
                statement.setString(argument.getKey(), text.equals(lockId) ? id : text.replace(KEY, key));
            } else {
                statement.setLong(argument.getKey(), (Long) argument.getValue());
            }
        }
    }

    private @Nullable Object connection(Method method, @Nullable Object[] arguments, @Nullable Object result) {
        return result instanceof Connection connection
                ? overhear(Connection.class, connection, this::statement)
                : result;
    }

    private @Nullable Object statement(Method method, @Nullable Object[] arguments, @Nullable Object result) {
        if (!(result instanceof PreparedStatement statement)) {
            return result;
        }
        Recorded recorded = new Recorded((String) arguments[0], new TreeMap<>());
        statements.add(recorded);
        return overhear(PreparedStatement.class, statement, (set, values, answer) -> {
            if (set.getName().equals("setString") || set.getName().equals("setLong")) {
                recorded.arguments().put((Integer) values[0], values[1]);
            }
            return answer;
        });
    }

    private interface Ear {
        @Nullable
        Object heard(Method method, @Nullable Object[] arguments, @Nullable Object result);
    }

    private <T> T overhear(Class<T> type, T target, Ear ear) {
        InvocationHandler handler = (proxy, method, arguments) -> {
            try {
                return ear.heard(method, arguments, method.invoke(target, arguments));
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        };
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
