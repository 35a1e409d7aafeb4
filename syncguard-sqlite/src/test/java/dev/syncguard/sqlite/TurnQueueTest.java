package dev.syncguard.sqlite;

import static dev.syncguard.sqlite.Locks.NONE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The queue of the processes. Each {@link PlaceFile} is as good as a process: they know of each other by the file only. */
class TurnQueueTest {

    private static final Duration LONG = Duration.ofMinutes(2);

    @TempDir
    Path folder;

    private Path database;
    private Path file;
    private final List<String> turns = new CopyOnWriteArrayList<>();

    @BeforeEach
    void create() throws IOException {
        database = Files.createFile(folder.resolve("locks.db"));
        file = folder.resolve("locks.db-queue");
    }

    /** Queues on a thread of its own and returns when it is in its place. */
    private CompletableFuture<Void> queue(String name, PlaceFile process, Duration patience) {
        long before = process.drawn();
        CompletableFuture<Void> turn = CompletableFuture.runAsync(() -> {
            try (TimeLimit limit = new TimeLimit(patience)) {
                process.take(limit);
                turns.add(name);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        await().until(() -> process.drawn() > before);
        return turn;
    }

    @Test
    @DisplayName("turns come in the order of arrival")
    void inOrder() throws IOException {
        try (PlaceFile first = PlaceFile.open(database);
                PlaceFile second = PlaceFile.open(database);
                PlaceFile third = PlaceFile.open(database)) {
            queue("first", first, LONG).join();
            CompletableFuture<Void> secondTurn = queue("second", second, LONG);
            CompletableFuture<Void> thirdTurn = queue("third", third, LONG);
            assertThat(turns).containsExactly("first");

            first.leave();
            secondTurn.join();
            assertThat(turns).containsExactly("first", "second");

            CompletableFuture<Void> firstAgain = queue("first again", first, LONG);
            second.leave();
            thirdTurn.join();
            third.leave();
            firstAgain.join();
            assertThat(turns).containsExactly("first", "second", "third", "first again");
        }
    }

    @Test
    @DisplayName("whoever waits too long goes past, and those who come later do not meet the one that is stuck")
    void passesTheStuck() throws IOException {
        try (PlaceFile stuck = PlaceFile.open(database);
                PlaceFile behind = PlaceFile.open(database);
                PlaceFile later = PlaceFile.open(database)) {
            queue("stuck", stuck, LONG).join();
            queue("behind", behind, Duration.ofMillis(200)).join();
            behind.leave();

            queue("later", later, LONG).join();

            assertThat(turns).containsExactly("stuck", "behind", "later");
        }
    }

    @Test
    @DisplayName("who has locked a place and not yet counted it is not overtaken")
    void notYetCounted() throws IOException {
        try (PlaceFile first = PlaceFile.open(database);
                PlaceFile second = PlaceFile.open(database);
                RandomAccessFile drawing = new RandomAccessFile(file.toFile(), "rw")) {
            queue("first", first, LONG).join();
            first.leave();
            FileLock place = drawing.getChannel().lock(PlaceFile.PLACES + first.drawn(), 1, false);
            CompletableFuture<Void> secondTurn = queue("second", second, LONG);
            await().during(Duration.ofMillis(100)).until(() -> !secondTurn.isDone());

            place.release();
            secondTurn.join();
        }
    }

    @Test
    @DisplayName("eight processes in a hurry: never two at once")
    void oneAtATime() {
        AtomicInteger inside = new AtomicInteger();
        List<CompletableFuture<Void>> processes = new ArrayList<>();
        ExecutorService threads = Executors.newFixedThreadPool(8);
        for (int i = 0; i < 8; i++) {
            processes.add(CompletableFuture.runAsync(() -> takeTurns(500, inside), threads));
        }
        CompletableFuture.allOf(processes.toArray(CompletableFuture[]::new)).join();
        threads.shutdown();
    }

    private void takeTurns(int count, AtomicInteger inside) {
        try (PlaceFile process = PlaceFile.open(database);
                TimeLimit limit = new TimeLimit(LONG)) {
            for (int turn = 0; turn < count; turn++) {
                process.take(limit);
                assertThat(inside.incrementAndGet()).isEqualTo(1);
                inside.decrementAndGet();
                process.leave();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, -2_000_000, Long.MAX_VALUE})
    @DisplayName("numbers that are no places make nobody wait or fail")
    void damagedNumbers(long number) throws IOException {
        try (RandomAccessFile damaging = new RandomAccessFile(file.toFile(), "rw");
                TimeLimit limit = new TimeLimit(LONG)) {
            damaging.writeLong(Long.reverseBytes(number));
            damaging.writeLong(0);
            TurnQueue queue = TurnQueue.join(database);
            queue.enter(limit);
            queue.leave();
            queue.part();
        }
    }

    @Test
    @DisplayName("a file that is cut off under its users costs them the order, and never the process")
    void cutOff() throws Exception {
        try (Child user = Child.start("take-turns", database)) {
            assertThat(user.line()).isEqualTo("ready");
            user.go();
            for (int i = 0; i < 300; i++) {
                await().pollInterval(Duration.ofMillis(1)).until(() -> Files.exists(file) || !user.isAlive());
                try (RandomAccessFile cutting = new RandomAccessFile(file.toFile(), "rw")) {
                    cutting.setLength(i % 2);
                }
            }
            user.go();
            assertThat(user.exitCode()).isZero();
        }
    }

    @Test
    @DisplayName("a fault of which the JVM tells only later, in the middle of a write, leaves that write unknown")
    void cutOffBefore() {
        try (Sessions sessions = new Sessions(new DatabaseFile(database), Duration.ofSeconds(30))) {
            LockException failure = catchThrowableOfType(
                    LockException.class,
                    () -> sessions.write(NONE, session -> {
                        throw new InternalError("a fault occurred in a recent unsafe memory access operation");
                    }));

            assertThat(failure.code()).isEqualTo(Code.SERVICE_UNAVAILABLE);
            assertThat(failure.outcomeUnknown()).isTrue();
            assertThat(sessions.<Boolean>write(NONE, session -> true)).isTrue();
        }
    }
}
