package dev.syncguard.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.syncguard.spi.support.StoreThreads;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
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
    private final List<Integer> limits = new CopyOnWriteArrayList<>();
    private final AtomicBoolean brokenAbort = new AtomicBoolean();
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
                        if (brokenAbort.get()) {
                            throw new AbstractMethodError("a pool older than JDBC 4.1");
                        }
                    } else if (method.getName().equals("setNetworkTimeout")) {
                        limits.add((Integer) arguments[1]);
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
    @DisplayName("from the cancel request on, what the driver still reads has a short limit of its own, set once")
    void shortensReads() {
        try (WatchedOperation operation = watch.begin(in(60_000))) {
            operation.uses(connection());
            exhausted.set(true); // each look tries to cancel again
            operation.running(0);
            await().until(() -> !limits.isEmpty());
            operation.answered();
            assertThat(operation.release()).isTrue();
        }
        watch.close();
        assertThat(limits).containsExactly(100);
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

    @Test
    @DisplayName("an operation that begins while the start of the watch fails is watched all the same")
    void startFailsBesideAnother() throws Exception {
        CountDownLatch starting = new CountDownLatch(1);
        CountDownLatch failing = new CountDownLatch(1);
        OperationWatch unlucky = new OperationWatch((name, task) -> {
            if (starting.getCount() > 0) {
                starting.countDown();
                awaitUnchecked(failing);
                throw new OutOfMemoryError("unable to create native thread");
            }
            StoreThreads.start(name, task);
        });
        Thread first =
                new Thread(() -> assertThatThrownBy(() -> unlucky.begin(in(10))).isInstanceOf(OutOfMemoryError.class));
        first.start();
        starting.await();
        CompletableFuture<WatchedOperation> begun = new CompletableFuture<>();
        Thread second = new Thread(() -> begun.complete(unlucky.begin(in(10))));
        second.start();
        await().until(() -> begun.isDone() || second.getState() == Thread.State.WAITING);
        failing.countDown();

        try (WatchedOperation operation = begun.join()) {
            operation.uses(connection());
            await().until(operation::isAborted);
        }
        first.join();
        unlucky.close();
    }

    private static void awaitUnchecked(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    @DisplayName("a connection that cannot be aborted does not end the watch of the others")
    void brokenConnection() {
        try (WatchedOperation broken = watch.begin(in(10));
                WatchedOperation next = watch.begin(in(400))) {
            exhausted.set(true); // so that the watch itself has to abort
            brokenAbort.set(true);
            broken.uses(connection());
            await().until(() -> aborted.get() == 1);
            brokenAbort.set(false);
            next.uses(connection());
            await().until(next::isAborted);
            assertThat(aborted).hasValue(2);
        }
        watch.close();
        assertThat(started).containsExactly("syncguard-postgres-watch");
    }
}
