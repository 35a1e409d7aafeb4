package dev.syncguard.faults.client;

import dev.syncguard.AcquisitionTimeoutException;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockId;
import dev.syncguard.faults.history.HistoryWriter;
import dev.syncguard.faults.history.Line;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Writes down what a client does, each step before the client goes on. */
final class Steps {

    private static final int MOST_MESSAGES = 5000;

    /** No one asks a store that is down again at once: a million refusals in a minute are no evidence of anything. */
    private static final Set<Code> DOWN = Set.of(Code.SERVICE_UNAVAILABLE, Code.RATE_LIMITED);

    private final HistoryWriter history;
    private final AtomicLong operations = new AtomicLong();
    private final AtomicLong grants = new AtomicLong();
    private final Set<String> messages = ConcurrentHashMap.newKeySet();

    Steps(HistoryWriter history) {
        this.history = history;
    }

    String process() {
        return history.process();
    }

    long operations() {
        return operations.get();
    }

    long grants() {
        return grants.get();
    }

    void write(Line line) {
        history.write(line);
    }

    Line line(String event) {
        return history.line(event);
    }

    Line lineAt(long time, String event) {
        return history.lineAt(time, event);
    }

    /** Begins an operation; returns its number. */
    long begin(String function, String key, @Nullable LockId id, long ttl, String how) {
        long number = operations.incrementAndGet();
        Line line = line("invoke").put("n", number).put("f", function).put("key", key);
        history.write(
                (ttl > 0 ? line.put("ttl", ttl) : line).put("id", hash(id)).put("how", how));
        return number;
    }

    Line ok(long time, long number, String function, String key) {
        return lineAt(time, "ok").put("n", number).put("f", function).put("key", key);
    }

    void granted(Line line) {
        grants.incrementAndGet();
        history.write(line);
    }

    void contended(long number, String function, String key) {
        history.write(fail(number, function, key).put("contended", true));
    }

    /** An operation failed. What is thrown besides the library's own exceptions is named by its class. */
    void failed(long number, String function, String key, @Nullable LockId id, Throwable failure) {
        Line line = fail(number, function, key);
        if (failure instanceof LockException e) {
            LockId about = id != null ? id : e.lockId().orElse(null);
            line.put("id", hash(about)).put("code", e.code().name()).put("unknown", e.outcomeUnknown());
            boolean lockedOut = e instanceof AcquisitionTimeoutException && e.getCause() == null;
            line.put("contended", lockedOut); // the last answer was that another client has the lock
        } else {
            line.put("id", hash(id)).put("code", failure.getClass().getSimpleName());
        }
        history.write(line.put("note", failure.getMessage()));
        say(failure);
        if (failure instanceof LockException e && DOWN.contains(e.code())) {
            Pause.millis(ThreadLocalRandom.current().nextInt(5, 25));
        }
    }

    private Line fail(long number, String function, String key) {
        return line("fail").put("n", number).put("f", function).put("key", key);
    }

    /** A guard was closed, the one whose keys begin so; a close that takes its whole time may leave locks behind. */
    void closed(String keys, long nanos, Duration limit) {
        Line line = line("closed").put("key", keys).put("locks", nanos / 1_000_000);
        history.write(line.put("ttl", limit.toMillis()));
    }

    /** Prints what an application would log: the checker looks for identifiers in it. */
    void say(Object shown) {
        String text = shown.toString();
        if (messages.size() < MOST_MESSAGES && messages.add(text)) {
            System.err.println(text);
        }
    }

    /** Twelve hexadecimal digits that stand for a lock id. */
    static @Nullable String hash(@Nullable LockId id) {
        if (id == null) {
            return null;
        }
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256").digest(id.value().getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, 6);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
