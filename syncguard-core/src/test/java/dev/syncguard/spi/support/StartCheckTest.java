package dev.syncguard.spi.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.syncguard.Finding;
import dev.syncguard.Finding.Level;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.memory.MemoryLockBackend;
import dev.syncguard.spi.ForwardingLockBackend;
import dev.syncguard.spi.LockBackend;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("the check at the start")
class StartCheckTest {

    private static final Finding OK = new Finding("store.a", Level.OK, "good", "");
    private static final Finding WARN = new Finding("store.b", Level.WARN, "weak", "strengthen it");
    private static final Finding DANGER = new Finding("store.c", Level.DANGER, "broken", "repair it");

    @AutoClose
    private final Log log = new Log();

    private final AtomicInteger looks = new AtomicInteger();

    private StartCheck finding(Finding... findings) {
        return new StartCheck(() -> {
            looks.incrementAndGet();
            return List.of(findings);
        });
    }

    @Test
    @DisplayName("warns of everything from a warning on, once")
    void warns() {
        StartCheck check = finding(OK, WARN, DANGER);
        check.now(false);
        check.soon();

        assertThat(log.messages).containsExactly("store.b: weak; strengthen it", "store.c: broken; repair it");
        assertThat(looks).hasValue(1);
    }

    @Test
    @DisplayName("looks in the background once, however many acquire")
    void background() {
        StartCheck check = finding(WARN);
        check.soon();
        check.soon();

        await().until(() -> log.messages.equals(List.of("store.b: weak; strengthen it")));
        assertThat(looks).hasValue(1);
    }

    @Test
    @DisplayName("without a thread to be had does not fail the acquire, and looks after a later one")
    void outOfThreads() {
        AtomicBoolean out = new AtomicBoolean(true);
        StartCheck check = new StartCheck(() -> List.of(WARN), task -> {
            if (out.get()) {
                throw new OutOfMemoryError("injected: unable to create native thread");
            }
            task.run();
        });

        check.soon();
        assertThat(log.messages).isEmpty();
        out.set(false);
        check.soon();
        check.soon();

        assertThat(log.messages).containsExactly("store.b: weak; strengthen it");
    }

    @Test
    @DisplayName("closes the backend also if looking fails with an error")
    void strictAndBroken() {
        AtomicInteger closed = new AtomicInteger();
        LockBackend backend = new ForwardingLockBackend(new MemoryLockBackend()) {
            @Override
            public void close() {
                closed.incrementAndGet();
            }
        };
        StartCheck broken = new StartCheck(() -> {
            throw new NoClassDefFoundError("injected");
        });

        assertThatThrownBy(() -> broken.strict(backend)).isInstanceOf(NoClassDefFoundError.class);
        assertThat(closed).hasValue(1);
    }

    @Test
    @DisplayName("refuses a danger if it is strict, and closes the backend")
    void strict() {
        AtomicInteger closed = new AtomicInteger();
        LockBackend backend = new ForwardingLockBackend(new MemoryLockBackend()) {
            @Override
            public void close() {
                closed.incrementAndGet();
            }
        };

        assertThatThrownBy(() -> finding(WARN, DANGER).strict(backend))
                .isInstanceOfSatisfying(LockException.class, e -> {
                    assertThat(e.code()).isEqualTo(Code.INVALID_ARGUMENT);
                    assertThat(e).hasMessageContaining("store.c").hasMessageContaining("repair it");
                });
        assertThat(closed).hasValue(1);
        assertThat(finding(WARN).strict(backend)).isSameAs(backend);
        assertThat(log.messages).containsExactly("store.b: weak; strengthen it");
    }

    /** What the library logs meanwhile. */
    private static final class Log extends Handler implements AutoCloseable {
        private static final Logger LOGGER = Logger.getLogger("dev.syncguard");
        private final List<String> messages = new CopyOnWriteArrayList<>();

        Log() {
            LOGGER.addHandler(this);
        }

        @Override
        public void publish(LogRecord entry) {
            messages.add(String.valueOf(entry.getParameters()[0]));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {
            LOGGER.removeHandler(this);
        }
    }
}
