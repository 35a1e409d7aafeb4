package dev.syncguard.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.syncguard.AbortSignal;
import dev.syncguard.LockKey;
import dev.syncguard.LogCapture;
import dev.syncguard.Rule;
import dev.syncguard.memory.MemoryLockBackend;
import dev.syncguard.spi.AsyncLockBackend;
import dev.syncguard.spi.ForwardingLockBackend;
import dev.syncguard.spi.LockBackend;
import dev.syncguard.spi.LockIds;
import dev.syncguard.telemetry.LockEvent.Result;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Whatever listeners, predicates, log handlers and backends do, events go on. */
class DeliveryTest {

    private static final LockKey KEY = LockKey.of("secret-key");

    private final List<LockEvent> events = new CopyOnWriteArrayList<>();

    private static void ask(LockBackend backend) {
        backend.isLocked(KEY, AbortSignal.none());
    }

    @Test
    @Rule("TEL-5")
    @DisplayName("a listener that leaves the interrupt flag set goes on getting events")
    void interruptFlag() {
        try (LockBackend backend = TelemetryLockBackend.of(new MemoryLockBackend(), event -> {
            events.add(event);
            Thread.currentThread().interrupt();
        })) {
            ask(backend);
            await().until(() -> events.size() == 1);
            ask(backend);
            ask(backend);
            await().until(() -> events.size() == 3);
        }
    }

    @Test
    @Rule("TEL-5")
    @DisplayName("neither a listener that throws an Error nor a log handler that does ends the delivery")
    void throwingLog() {
        Handler throwing = new Handler() {
            @Override
            public void publish(LogRecord record) {
                throw new NoClassDefFoundError("log");
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger logger = Logger.getLogger("dev.syncguard");
        logger.addHandler(throwing);
        logger.setUseParentHandlers(false);
        try (LockBackend backend = TelemetryLockBackend.of(new MemoryLockBackend(), event -> {
            events.add(event);
            throw new StackOverflowError("listener");
        })) {
            ask(backend);
            ask(backend);
            ask(backend);
            await().until(() -> events.size() == 3);
        } finally {
            logger.removeHandler(throwing);
            logger.setUseParentHandlers(true);
        }
    }

    @Test
    @Rule("TEL-4")
    @DisplayName("a predicate that throws an Error means sanitised, and the event arrives")
    void throwingPredicate() {
        TelemetryBuilder builder = TelemetryLockBackend.builder(new MemoryLockBackend(), events::add)
                .includeRaw(event -> {
                    throw new NoClassDefFoundError("predicate");
                });
        try (LockBackend backend = builder.build()) {
            ask(backend);
            await().until(() -> events.size() == 1);
            assertThat(events.get(0).key()).isEmpty();
            assertThat(events.get(0).keyHash()).contains(KEY.hash());
        }
    }

    @Test
    @Rule("TEL-5")
    @DisplayName("the listener's thread inherits nothing from the caller whose event came first")
    void cleanThread() throws Exception {
        InheritableThreadLocal<String> tenant = new InheritableThreadLocal<>();
        CompletableFuture<String> seen = new CompletableFuture<>();
        CompletableFuture<ClassLoader> loader = new CompletableFuture<>();
        try (URLClassLoader application = new URLClassLoader(new URL[0])) {
            Thread caller = new Thread(() -> {
                tenant.set("first caller");
                Thread.currentThread().setContextClassLoader(application);
                ask(TelemetryLockBackend.of(new MemoryLockBackend(), event -> {
                    seen.complete(String.valueOf(tenant.get()));
                    loader.complete(Thread.currentThread().getContextClassLoader());
                }));
            });
            caller.start();
            caller.join();
            assertThat(seen.join()).isEqualTo("null");
            assertThat(loader.join()).isNotSameAs(application);
        }
    }

    @Test
    @Rule("TEL-5")
    @DisplayName("a thread that cannot be started costs its event only; a later event tries again")
    void noThread() {
        AtomicInteger starts = new AtomicInteger();
        EventQueue queue = new EventQueue(events::add, event -> false, 10, work -> new Thread(work) {
            @Override
            public synchronized void start() {
                if (starts.incrementAndGet() <= 2) {
                    throw new OutOfMemoryError("unable to create native thread");
                }
                super.start();
            }
        });
        LockEvent event = LockEvent.builder(LockEvent.Type.LOOKUP, Result.OK).build();

        queue.send(() -> event);
        queue.send(() -> event);
        assertThat(queue.dropped()).isEqualTo(2);
        queue.send(() -> event);

        await().until(() -> events.size() == 1);
        assertThat(queue.dropped()).isEqualTo(2);
        queue.close();
    }

    @Test
    @Rule("TEL-5")
    @DisplayName("an event that cannot be made is counted as failed, and the next one arrives")
    void hashThatThrows() {
        AtomicInteger hashed = new AtomicInteger();
        TelemetryBuilder builder = TelemetryLockBackend.builder(new MemoryLockBackend(), events::add)
                .hash(text -> {
                    if (hashed.incrementAndGet() == 1) {
                        throw new NoClassDefFoundError("hash");
                    }
                    return "hash";
                });
        try (LogCapture log = LogCapture.start();
                TelemetryLockBackend backend = builder.build()) {
            backend.findById(LockIds.random(), AbortSignal.none());
            backend.findById(LockIds.random(), AbortSignal.none());

            await().until(() -> events.size() == 1);
            assertThat(backend.failedEvents()).isEqualTo(1);
            assertThat(backend.droppedEvents()).isZero();
            assertThat(log.messages()).hasSize(1);
        }
    }

    @Test
    @Rule("TEL-3")
    @DisplayName("an Error of the store gives an event and reaches the caller unchanged")
    void errorOfTheStore() {
        Error error = new NoClassDefFoundError("store");
        try (LockBackend backend = TelemetryLockBackend.of(new Throwing(error), events::add)) {
            assertThatThrownBy(() -> ask(backend)).isSameAs(error);

            await().until(() -> events.size() == 1);
            assertThat(events.get(0).result()).isEqualTo(Result.FAIL);
            assertThat(events.get(0).errorCode()).isPresent();
        }
    }

    @Test
    @Rule("TEL-3")
    @DisplayName("an Error that an asynchronous call throws is in the stage, and gives an event")
    void errorOfAnAsyncCall() {
        Error error = new NoClassDefFoundError("store");
        try (LockBackend backend = TelemetryLockBackend.of(new Throwing(error), events::add)) {
            AsyncLockBackend async = backend.async().orElseThrow();

            assertThatThrownBy(() -> async.isLocked(KEY, AbortSignal.none())
                            .toCompletableFuture()
                            .join())
                    .hasCause(error);

            await().until(() -> events.size() == 1);
            assertThat(events.get(0).result()).isEqualTo(Result.FAIL);
        }
    }

    /** Throws the same from every question, also from the asynchronous one, which must not throw. */
    private static final class Throwing extends ForwardingLockBackend {

        private final Error error;

        Throwing(Error error) {
            super(new MemoryLockBackend());
            this.error = error;
        }

        @Override
        public boolean isLocked(LockKey key, AbortSignal signal) {
            throw error;
        }

        @Override
        public Optional<AsyncLockBackend> async() {
            return Optional.of((AsyncLockBackend) java.lang.reflect.Proxy.newProxyInstance(
                    getClass().getClassLoader(), new Class<?>[] {AsyncLockBackend.class}, (proxy, method, args) -> {
                        throw error;
                    }));
        }
    }
}
