package dev.syncguard.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.syncguard.spi.support.StoreThreads;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A system that has no thread left for a moment. */
class OperationWatchTest {

    private final AtomicBoolean exhausted = new AtomicBoolean();
    private final List<String> started = new CopyOnWriteArrayList<>();
    private final AtomicInteger aborted = new AtomicInteger();
    private final OperationWatch watch = new OperationWatch((name, task) -> {
        if (exhausted.get()) {
            throw new OutOfMemoryError("unable to create native thread");
        }
        started.add(name);
        StoreThreads.start(name, task);
    });

    private Connection connection() {
        return (Connection) Proxy.newProxyInstance(
                Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("abort")) {
                        aborted.incrementAndGet();
                    }
                    return method.getReturnType() == boolean.class ? false : null;
                });
    }

    private static long in(long millis) {
        return System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    }

    @Test
    @DisplayName("an operation that nothing could watch fails, and the next one is watched")
    void startsLater() {
        exhausted.set(true);
        assertThatThrownBy(() -> watch.begin(in(10))).isInstanceOf(OutOfMemoryError.class);

        exhausted.set(false);
        try (WatchedOperation operation = watch.begin(in(10))) {
            operation.uses(connection());
            await().until(operation::isAborted);
            await().until(() -> aborted.get() == 1);
        }
        watch.close();
        assertThat(started).containsExactly("syncguard-postgres-watch", "syncguard-postgres-abort");
    }

    @Test
    @DisplayName("a cancel request and an abort that get no thread do not end the watch")
    void goesOn() {
        try (WatchedOperation operation = watch.begin(in(300));
                WatchedOperation next = watch.begin(in(600))) {
            operation.uses(connection());
            next.uses(connection());
            exhausted.set(true);
            operation.running(0);
            await().until(() -> aborted.get() == 2);
            assertThat(operation.isAborted()).isTrue();
            assertThat(next.isAborted()).isTrue();
        }
        watch.close();
        assertThat(started).containsExactly("syncguard-postgres-watch");
    }
}
