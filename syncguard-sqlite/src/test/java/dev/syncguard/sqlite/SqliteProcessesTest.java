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
import dev.syncguard.spi.ReleaseOutcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Several processes on one file: working, killed, stopped. */
@Timeout(240)
class SqliteProcessesTest {

    private static final int PROCESSES = 8;
    private static final int INCREMENTS = 25;
    private static final int ROUNDS = 5;
    private static final int VICTIMS = 4;

    @TempDir
    Path folder;

    private Path file;

    @BeforeEach
    void create() {
        file = folder.resolve("locks.db");
    }

    private static void closeAll(List<Child> children) {
        children.forEach(Child::close);
    }

    @Test
    @DisplayName("read-modify-write by eight processes loses no update, and fences rise in the order of the sections")
    void excludeEachOther() throws Exception {
        Files.writeString(folder.resolve("number"), "0");
        Files.createFile(folder.resolve("fences"));
        List<Child> children = IntStream.range(0, PROCESSES)
                .mapToObj(i -> Child.start("increment", file, folder.toString(), Integer.toString(INCREMENTS)))
                .toList();
        try {
            children.forEach(child -> assertThat(child.line()).isEqualTo("ready"));
            children.forEach(Child::go);
            for (Child child : children) {
                assertThat(child.exitCode()).isZero();
            }
        } finally {
            closeAll(children);
        }

        assertThat(folder.resolve("number")).hasContent(Integer.toString(PROCESSES * INCREMENTS));
        List<String> fences = Files.readAllLines(folder.resolve("fences"));
        assertThat(fences)
                .hasSize(PROCESSES * INCREMENTS)
                .doesNotHaveDuplicates()
                .isSorted();
    }

    @Test
    @DisplayName("fences go on rising, however often processes are killed in the middle of an acquire")
    void killed() throws InterruptedException {
        Random random = new Random();
        Fence[] highest = new Fence[VICTIMS];
        Arrays.fill(highest, new Fence(0));
        for (int round = 0; round < ROUNDS; round++) {
            List<Child> victims = IntStream.range(0, VICTIMS)
                    .mapToObj(i -> Child.start("grants", file, "victim:" + i))
                    .toList();
            try {
                victims.forEach(victim -> assertThat(victim.line()).isEqualTo("ready"));
                victims.forEach(Child::go);
                for (int i = 0; i < VICTIMS; i++) {
                    highest[i] = higher(highest[i], victims.get(i).line());
                }
                for (Child victim : victims) {
                    LockSupport.parkNanos(random.nextInt(3_000_000));
                    victim.kill();
                }
                for (Child victim : victims) {
                    victim.exitCode();
                }
                for (int i = 0; i < VICTIMS; i++) {
                    for (String line : victims.get(i).rest()) {
                        highest[i] = higher(highest[i], line);
                    }
                    highest[i] = higher(highest[i], fenceAfterwards("victim:" + i));
                }
            } finally {
                closeAll(victims);
            }
        }
    }

    private static Fence higher(Fence before, String line) {
        Fence fence = Fence.parse(line);
        assertThat(fence).isGreaterThan(before);
        return fence;
    }

    /** What the next holder gets; a victim that died with the lock is not waited for. */
    private String fenceAfterwards(String key) {
        try (LockBackend backend = patient()) {
            // The first look recovers the log: a commit that was all but done when its process died counts from here
            // on.
            backend.isLocked(LockKey.of(key), NONE);
            new SqliteProbe(file).expire(key);
            Granted granted = Locks.grant(backend, LockKey.of(key));
            backend.release(granted.lockId(), NONE);
            return granted.fence().toString();
        }
    }

    private LockBackend patient() {
        return SqliteLockBackend.builder(file)
                .commandTimeout(Duration.ofSeconds(30))
                .build();
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    @DisplayName("a process that is stopped in the queue is passed")
    void stoppedInQueue() throws Exception {
        try (LockBackend backend = SqliteLockBackend.open(file)) {
            backend.isLocked(KEY, NONE);
            try (Child stopped = Child.start("sit-in-queue", file)) {
                assertThat(stopped.line()).isEqualTo("ready");
                stopped.signal("STOP");

                Granted granted = Locks.grant(backend, KEY);

                assertThat(backend.release(granted.lockId(), NONE)).isEqualTo(ReleaseOutcome.RELEASED);
            }
        }
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    @DisplayName(
            "while a process is stopped in a transaction, readers go on and writers time out; its death frees them")
    void stoppedInTransaction() throws Exception {
        try (LockBackend backend = SqliteLockBackend.builder(file)
                .commandTimeout(Duration.ofMillis(500))
                .build()) {
            Granted held = Locks.grant(backend, LockKey.of("held"));
            Child stopped = Child.start("sit-in-transaction", file);
            try (stopped) {
                assertThat(stopped.line()).isEqualTo("ready");
                stopped.signal("STOP");

                assertThat(backend.isLocked(LockKey.of("held"), NONE)).isTrue();
                assertThat(Locks.acquire(backend, LockKey.of("held"))).isInstanceOf(Refused.class);
                assertTimeout(() -> Locks.acquire(backend, KEY));
                assertTimeout(() -> backend.extend(held.lockId(), Locks.MINUTE, NONE));
                assertTimeout(() -> backend.release(held.lockId(), NONE));
            }
            stopped.exitCode();

            assertThat(Locks.grant(backend, KEY).fence()).isEqualTo(new Fence(1));
            assertThat(backend.release(held.lockId(), NONE)).isEqualTo(ReleaseOutcome.RELEASED);
        }
    }

    private static void assertTimeout(Runnable operation) {
        LockException failure = catchThrowableOfType(LockException.class, operation::run);
        assertThat(failure).as("the failure").isNotNull();
        assertThat(failure.code()).isEqualTo(Code.NETWORK_TIMEOUT);
        assertThat(failure.outcomeUnknown()).isFalse();
    }
}
