package dev.syncguard.sqlite;

import static dev.syncguard.sqlite.Locks.NONE;

import dev.syncguard.Lease;
import dev.syncguard.LockException;
import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import dev.syncguard.LockOptions;
import dev.syncguard.SyncGuard;
import dev.syncguard.spi.AcquireOutcome;
import dev.syncguard.spi.AcquireOutcome.Granted;
import dev.syncguard.spi.LockBackend;
import dev.syncguard.spi.LockIds;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** What another process does: prints a line when it is ready, and does its task when it gets a line. */
final class ChildMain {

    private static final LockOptions PATIENT = LockOptions.defaults().waitAtMost(Duration.ofMinutes(2));

    /** Where SQLite keeps its locks, see its os.h. */
    private static final long SHARED_FIRST = 0x40000002;

    private static final long SHARED_SIZE = 510;

    private ChildMain() {}

    public static void main(String[] arguments) throws Exception {
        Path file = Path.of(arguments[1]);
        switch (arguments[0]) {
            case "increment" -> increment(file, Path.of(arguments[2]), Integer.parseInt(arguments[3]));
            case "cycle" -> cycle(file, LockKey.of(arguments[2]), Long.parseLong(arguments[3]));
            case "grants" -> grants(file, LockKey.of(arguments[2]));
            case "sit-in-queue" -> sitInQueue(file);
            case "take-turns" -> takeTurns(file);
            case "lock" -> lock(file);
            case "reopen" -> reopen(file, LockKey.of(arguments[2]), Integer.parseInt(arguments[3]));
            case "insert" -> insert(file, arguments[2]);
            case "hold" -> hold(file, LockKey.of(arguments[2]));
            case "look" -> look(file);
            case "sit-in-transaction" -> sitInTransaction(file);
            default -> throw new IllegalArgumentException(arguments[0]);
        }
    }

    /** Patient, for a machine that has other things to do. */
    private static LockBackend backend(Path file) {
        return SqliteLockBackend.builder(file)
                .commandTimeout(Duration.ofSeconds(30))
                .build();
    }

    private static void ready() throws IOException {
        System.out.println("ready");
        if (System.in.read() < 0) {
            throw new IOException("the parent has gone");
        }
    }

    /** Reads a number from a plain file, writes it back raised by one, and notes the fence, all under one lock. */
    private static void increment(Path file, Path folder, int times) throws IOException {
        Path number = folder.resolve("number");
        Path fences = folder.resolve("fences");
        try (SyncGuard guard = SyncGuard.of(backend(file))) {
            guard.isLocked("number");
            ready();
            for (int i = 0; i < times; i++) {
                try (Lease lease = guard.acquire("number", PATIENT)) {
                    long value = Long.parseLong(Files.readString(number));
                    Files.writeString(fences, lease.fence() + "\n", StandardOpenOption.APPEND);
                    Files.writeString(number, Long.toString(value + 1));
                    lease.ensureValid();
                }
            }
        }
    }

    /** Acquires and releases a key for some time and prints how often. */
    private static void cycle(Path file, LockKey key, long millis) throws IOException {
        try (LockBackend backend = backend(file)) {
            for (int i = 0; i < 50; i++) {
                backend.release(Locks.grant(backend, key).lockId(), NONE);
            }
            ready();
            long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
            long count = 0;
            while (System.nanoTime() - end < 0) {
                backend.release(Locks.grant(backend, key).lockId(), NONE);
                count++;
            }
            System.out.println(count);
        }
    }

    /** Acquires and releases a key until it is killed, and prints each fence when it has it. */
    private static void grants(Path file, LockKey key) throws IOException {
        LockBackend backend = backend(file);
        backend.isLocked(key, NONE);
        ready();
        while (true) {
            if (Locks.acquire(backend, key) instanceof Granted granted) {
                System.out.println(granted.fence());
                backend.release(granted.lockId(), NONE);
            }
        }
    }

    private static void sitInQueue(Path file) throws IOException {
        TurnQueue.join(file.toRealPath()).enter(new TimeLimit(Duration.ofSeconds(10)));
        ready();
    }

    /** Queues and leaves until it is told to stop. */
    private static void takeTurns(Path file) throws IOException {
        TurnQueue queue = TurnQueue.join(file.toRealPath());
        ready();
        while (System.in.available() == 0) {
            try (TimeLimit limit = new TimeLimit(Duration.ofSeconds(10))) {
                queue.enter(limit);
                queue.leave();
            }
        }
        queue.part();
    }

    /** Has the shared lock that SQLite takes on the file for a moment to find out whether others use it. */
    private static void look(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
                FileLock shared = channel.lock(SHARED_FIRST, SHARED_SIZE, true)) {
            ready();
            shared.release();
        }
    }

    /** Keeps a whole file locked. */
    private static void lock(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
                FileLock all = channel.lock()) {
            ready();
            all.release();
        }
    }

    /** Acquires a key; then at each line acquires it again under the same lock id, and prints what it was told. */
    private static void hold(Path file, LockKey key) throws IOException {
        LockId lockId = LockIds.random();
        try (LockBackend backend = backend(file)) {
            Locks.acquire(backend, key, lockId);
            Locks.awaitStartCheck();
            ready();
            do {
                System.out.println(outcome(() -> Locks.acquire(backend, key, lockId)));
            } while (System.in.read() >= 0);
        }
    }

    /** Opens the file for each of many locks, and prints the last fence. */
    private static void reopen(Path file, LockKey key, int times) throws IOException {
        ready();
        Granted granted = null;
        for (int i = 0; i < times; i++) {
            try (LockBackend backend = backend(file)) {
                granted = Locks.grant(backend, key);
                backend.release(granted.lockId(), NONE);
            }
        }
        System.out.println(granted == null ? "nothing" : granted.fence());
    }

    /** Writes a lock as another program would, with nothing but the driver, and keeps the file open. */
    private static void insert(Path file, String key) throws IOException, SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                PreparedStatement statement = connection.prepareStatement(
                        "INSERT INTO syncguard_locks (key, lock_id, expires_at_ms, acquired_at_ms, fence, user_key)"
                                + " VALUES (?, ?, ?, 0, '000000000000001', ?)")) {
            statement.setString(1, key);
            statement.setString(2, LockIds.random().value());
            statement.setLong(3, System.currentTimeMillis() + TimeUnit.HOURS.toMillis(1));
            statement.setString(4, key);
            statement.execute();
            ready();
        }
    }

    private static String outcome(Supplier<AcquireOutcome> attempt) {
        try {
            return attempt.get() instanceof Granted ? "granted" : "refused";
        } catch (LockException e) {
            return e.code().name();
        }
    }

    private static void sitInTransaction(Path file) throws IOException, SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file)) {
            connection.createStatement().execute("BEGIN IMMEDIATE");
            ready();
        }
    }
}
