package dev.syncguard.sqlite;

import static dev.syncguard.sqlite.Locks.KEY;
import static dev.syncguard.sqlite.Locks.NONE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.syncguard.Fence;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockKey;
import dev.syncguard.spi.AcquireOutcome.Granted;
import dev.syncguard.spi.AcquireOutcome.Refused;
import dev.syncguard.spi.LockBackend;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** SQLite's log and shared memory are removed while a process has them open; Windows does not allow that. */
@Timeout(120)
@DisabledOnOs(OS.WINDOWS)
class RemovedLogTest {

    @TempDir
    Path folder;

    private Path file;

    @BeforeEach
    void name() {
        file = folder.resolve("locks.db");
    }

    private void remove(String suffixes) throws IOException {
        for (String suffix : suffixes.split(" ", -1)) {
            Files.delete(folder.resolve("locks.db" + suffix));
        }
    }

    private LockBackend hasty() {
        return SqliteLockBackend.builder(file)
                .commandTimeout(Duration.ofMillis(500))
                .build();
    }

    private static LockException failure(Runnable operation) {
        LockException failure = catchThrowableOfType(LockException.class, operation::run);
        assertThat(failure).as("the failure").isNotNull();
        assertThat(failure.code()).isEqualTo(Code.SERVICE_UNAVAILABLE);
        return failure;
    }

    @ParameterizedTest
    @ValueSource(strings = {"-wal -shm", "-wal", "-shm"})
    @DisplayName("another process is granted nothing until the holder has noticed, and the holder's lock survives")
    void noSecondHolder(String removed) throws IOException {
        try (Child holder = Child.start("hold", file, KEY.value());
                LockBackend other = hasty()) {
            assertThat(holder.line()).isEqualTo("ready");
            remove(removed);

            assertThat(failure(() -> Locks.acquire(other, KEY)))
                    .hasMessageContaining("removed")
                    .extracting(LockException::outcomeUnknown)
                    .isEqualTo(false);

            holder.go();
            assertThat(holder.line()).isEqualTo("granted");
            assertThat(Locks.acquire(other, KEY)).isInstanceOf(Refused.class);
            assertThat(Locks.grant(other, LockKey.of("other")).fence()).isEqualTo(new Fence(1));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"-wal -shm", "-wal", "-shm"})
    @DisplayName("a process notices by itself, warns, and loses neither lock nor fence")
    void noticed(String removed) throws IOException {
        try (LockBackend backend = SqliteLockBackend.open(file);
                LoggedWarnings warnings = LoggedWarnings.capture()) {
            Granted held = Locks.grant(backend, KEY);
            Locks.awaitStartCheck();
            remove(removed);

            assertThat(Locks.acquire(backend, KEY)).isInstanceOf(Refused.class);
            backend.release(held.lockId(), NONE);
            assertThat(Locks.grant(backend, KEY).fence()).isEqualTo(new Fence(2));
            assertThat(warnings.containing("removed while in use")).isNotEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"-wal -shm", "-wal", "-shm"})
    @DisplayName("the last process to close loses nothing if another one looks at that moment whether it has closed")
    void closedWhileLookedAt(String removed) throws Exception {
        LockBackend last = SqliteLockBackend.open(file);
        Locks.grant(last, KEY);
        Locks.awaitStartCheck();
        try (Child next = Child.start("look", file)) {
            assertThat(next.line()).isEqualTo("ready");
            remove(removed);
            last.close();
            next.go();
            assertThat(next.exitCode()).isZero();
        }
        try (LockBackend backend = SqliteLockBackend.open(file)) {
            assertThat(Locks.acquire(backend, KEY)).isInstanceOf(Refused.class);
        }
    }

    @Test
    @DisplayName("a grant that was under way meanwhile is not given")
    void removedDuringGrant() throws Exception {
        try (LockBackend backend = SqliteLockBackend.open(file)) {
            CompletableFuture<LockException> grant;
            try (OpenTransaction writer = OpenTransaction.begin(file)) {
                AtomicReference<Thread> waiting = new AtomicReference<>();
                grant = CompletableFuture.supplyAsync(() -> {
                    waiting.set(Thread.currentThread());
                    return failure(() -> Locks.acquire(backend, KEY));
                });
                Awaitility.await().until(() -> isInBegin(waiting.get()));
                remove("-wal -shm");
                assertThat(writer.isOpen()).isTrue();
            }
            assertThat(grant.join()).hasMessageContaining("removed while in use");

            assertThat(Locks.grant(backend, KEY).fence()).isEqualTo(new Fence(1));
        }
    }

    private static boolean isInBegin(Thread thread) {
        if (thread == null) {
            return false;
        }
        for (StackTraceElement frame : thread.getStackTrace()) {
            if (frame.getMethodName().equals("transaction")) {
                return true;
            }
        }
        return false;
    }

    /** SQLite would create what is missing. The moment of the removal is random, and often one in the middle of the opening. */
    @Test
    @DisplayName("a process that is opening the file meanwhile is granted nothing, and the holder goes on")
    void removedDuringOpening() throws Exception {
        Random random = new Random(7);
        try (Child holder = Child.start("hold", file, KEY.value())) {
            assertThat(holder.line()).isEqualTo("ready");
            for (int round = 0; round < 60; round++) {
                String removed = List.of("-wal -shm", "-wal", "-shm").get(round % 3);
                long delay = random.nextInt(3_000_000);
                long start = System.nanoTime();
                CompletableFuture<Void> removal = CompletableFuture.runAsync(() -> {
                    while (System.nanoTime() - start < delay) {
                        Thread.onSpinWait();
                    }
                    removeIfPresent(removed);
                });
                try (LockBackend other = SqliteLockBackend.builder(file)
                        .commandTimeout(Duration.ofMillis(100))
                        .build()) {
                    assertThat(attempt(other)).as("round %d", round).isNotInstanceOf(Granted.class);
                }
                removal.join();
                assertThat(answers(holder)).as("round %d", round).contains("granted");
            }
        }
    }

    private void removeIfPresent(String suffixes) {
        for (String suffix : suffixes.split(" ", -1)) {
            try {
                Files.deleteIfExists(folder.resolve("locks.db" + suffix));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private static @Nullable Object attempt(LockBackend backend) {
        try {
            return Locks.acquire(backend, KEY);
        } catch (LockException e) {
            return e.code();
        }
    }

    /** The holder asks for its own lock until it gets it; the first time it may learn of the removal. */
    private static List<String> answers(Child holder) {
        List<String> answers = new ArrayList<>();
        while (answers.size() < 20 && !answers.contains("granted")) {
            holder.go();
            answers.add(holder.line());
        }
        return answers;
    }

    @Test
    @DisplayName("a process that another program has overtaken grants nothing more, and spoils nothing when it closes")
    void overtaken() throws Exception {
        try (LockBackend first = SqliteLockBackend.open(file)) {
            first.isLocked(KEY, NONE);
        }
        try (LockBackend backend = SqliteLockBackend.open(file)) {
            Locks.grant(backend, KEY);
            Locks.awaitStartCheck();
            remove("-wal -shm");
            try (Child program = Child.start("insert", file, "theirs")) {
                assertThat(program.line()).isEqualTo("ready");

                assertThat(failure(() -> Locks.acquire(backend, LockKey.of("theirs"))))
                        .hasMessageContaining("restart every process");
                assertThat(failure(() -> backend.isLocked(KEY, NONE))).hasMessageContaining("restart every process");
            }
        }
        try (Child next = Child.start("hold", file, "theirs")) {
            assertThat(next.line()).isEqualTo("ready");
            next.go();
            assertThat(next.line()).as("an acquire of a key that is held").isEqualTo("refused");
        }
    }

    @Test
    @DisplayName("processes that open and close the file all the time do not take each other's for removed")
    void openingAndClosing() throws Exception {
        try (Child one = Child.start("reopen", file, "one", "40");
                Child two = Child.start("reopen", file, "two", "40");
                Child three = Child.start("reopen", file, "three", "40")) {
            for (Child child : new Child[] {one, two, three}) {
                assertThat(child.line()).isEqualTo("ready");
                child.go();
            }
            for (Child child : new Child[] {one, two, three}) {
                assertThat(child.line()).isEqualTo("000000000000040");
                assertThat(child.exitCode()).isZero();
            }
        }
    }
}
