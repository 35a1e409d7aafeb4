package dev.syncguard.redis;

import static dev.syncguard.AbortSignal.none;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import dev.syncguard.Ttl;
import dev.syncguard.spi.AcquireOutcome.Refused;
import dev.syncguard.spi.AcquireRequest;
import dev.syncguard.spi.ExtendOutcome.Extended;
import dev.syncguard.spi.LockIds;
import dev.syncguard.spi.ReleaseOutcome;
import dev.syncguard.testbed.RedisServer;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What another client wrote into its lock stays as it is, byte for byte. */
@DisplayName("a lock that another client wrote")
class RedisForeignJsonTest {

    private static final String WAITERS = "\"waiters\":\"[A-Za-z0-9_-]{8}( [A-Za-z0-9_-]{8})?\"";

    private static RedisServer server;

    private final RedisLockBackend one = RedisLockBackend.connect(server.url());
    private final RedisLockBackend two = RedisLockBackend.connect(server.url());
    private final LockKey key = LockKey.of("k-" + UUID.randomUUID());
    private final String lock = "syncguard:" + key.value();
    private final LockId theirs = LockIds.random();
    private final long expiresAtMs = nowMs() + 600_000;

    @BeforeAll
    static void start() {
        server = RedisServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @AfterEach
    void close() {
        one.close();
        two.close();
    }

    private static long nowMs() {
        String[] time = server.command("TIME").split("\n", -1);
        return Long.parseLong(time[0]) * 1000 + Long.parseLong(time[1]) / 1000;
    }

    /** Writes a lock in which {@code ID} and {@code END} stand for what must be there. */
    private String write(String text) {
        String filled = text.replace("ID", theirs.value()).replace("END", Long.toString(expiresAtMs));
        server.command("SET", lock, filled, "PX", "600000");
        server.command("SET", "syncguard:id:" + theirs.value(), lock, "PX", "600000");
        return filled;
    }

    private String stored() {
        return server.command("GET", lock);
    }

    private Object attempt(RedisLockBackend backend) {
        return backend.acquire(new AcquireRequest(key, backend.newLockId(key), Ttl.DEFAULT, true), none());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"lockId\":\"ID\",\"expiresAtMs\":END,\"acquiredAtMs\":1,\"key\":\"k\",\"fence\":\"000000000000001\",\"more\":[]}",
                "{\"tags\":[],\"n\":12345678901234567890,\"lockId\":\"ID\",\"expiresAtMs\":END,\"key\":\"a/b\","
                        + "\"acquiredAtMs\":1,\"fence\":\"000000000000001\"}",
                "{\"lockId\":\"ID\",\"fence\":\"000000000000001\",\"big\":1e999,\"small\":-1e999,\"expiresAtMs\":END,"
                        + "\"acquiredAtMs\":1,\"key\":\"\\u00e9\\\\\\\"}\"}",
                " { \"expiresAtMs\" : END , \"lockId\" : \"ID\" , \"fence\" : \"000000000000001\" , \"acquiredAtMs\":1.5,"
                        + " \"key\":\"\\\"expiresAtMs\\\":7\", \"in\": {\"expiresAtMs\":7,\"waiters\":\"x\"}, \"e\": {} }\n",
                "{\"s\":\"}{][\\\\\",\"a\":[{\"expiresAtMs\":1},[[]]],\"lockId\":\"ID\",\"expiresAtMs\":END,"
                        + "\"f\":0.10,\"acquiredAtMs\":1,\"key\":\"k\",\"fence\":\"000000000000001\"}"
            })
    @DisplayName("keeps every byte when waiters register and when it is extended")
    void keepsBytes(String text) {
        String before = write(text);

        assertThat(attempt(one)).isInstanceOf(Refused.class);
        assertThat(stored().replaceFirst("," + WAITERS, "")).isEqualTo(before);
        assertThat(attempt(two)).isInstanceOf(Refused.class);
        assertThat(attempt(one)).isInstanceOf(Refused.class);
        assertThat(stored()).containsPattern("\"waiters\":\"[A-Za-z0-9_-]{8} [A-Za-z0-9_-]{8}\"");
        Extended extended = (Extended) one.extend(theirs, new Ttl(900_000), none());

        assertThat(stored().replaceFirst("," + WAITERS, ""))
                .isEqualTo(before.replace(Long.toString(expiresAtMs), Long.toString(extended.expiresAtMs())));
        assertThat(one.release(theirs, none())).isEqualTo(ReleaseOutcome.RELEASED);
    }

    @Test
    @DisplayName("keeps every byte beside a mark of waiters in its middle")
    void markInTheMiddle() {
        String before = write("{\"waiters\":\"abcdefgh\",\"a\":[],\"lockId\":\"ID\",\"expiresAtMs\":END,"
                + "\"acquiredAtMs\":1,\"key\":\"k\",\"fence\":\"000000000000001\"}");
        attempt(one);

        assertThat(stored()).containsPattern("\\{\"waiters\":\"abcdefgh [A-Za-z0-9_-]{8}\"");
        assertThat(stored().replaceFirst("abcdefgh [A-Za-z0-9_-]{8}", "abcdefgh"))
                .isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(strings = {"[]", "null", "17", "\"<many>\"", "{\"count\":2}"})
    @DisplayName("keeps a field called waiters that is something else; our waiters poll then")
    void otherWaiters(String value) {
        String before = write("{\"lockId\":\"ID\",\"expiresAtMs\":END,\"acquiredAtMs\":1,\"key\":\"k\","
                + "\"fence\":\"000000000000001\",\"waiters\":" + value + "}");

        assertThat(attempt(one)).isInstanceOf(Refused.class);
        assertThat(stored()).isEqualTo(before);
        assertThat(one.release(theirs, none())).isEqualTo(ReleaseOutcome.RELEASED);
    }

    @Test
    @DisplayName("with two expiries is not extended, and not changed")
    void twoExpiries() {
        String before = write("{\"lockId\":\"ID\",\"expiresAtMs\":1,\"acquiredAtMs\":1,\"key\":\"k\","
                + "\"fence\":\"000000000000001\",\"expiresAtMs\":END}");

        LockException failure =
                catchThrowableOfType(LockException.class, () -> one.extend(theirs, new Ttl(900_000), none()));
        assertThat(failure.code()).isEqualTo(Code.INTERNAL);
        assertThat(stored()).isEqualTo(before);
    }

    @Test
    @DisplayName("with a time that no clock has is reported as foreign, not as a failing script")
    void impossibleTime() {
        write(
                "{\"lockId\":\"ID\",\"expiresAtMs\":END,\"acquiredAtMs\":1e999,\"key\":\"k\",\"fence\":\"000000000000001\"}");

        LockException failure = catchThrowableOfType(LockException.class, () -> one.findByKey(key, none()));
        assertThat(failure).hasMessageContaining("foreign value");
        assertThat(attempt(one)).isInstanceOf(Refused.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"7", "null", "true", "{\"a\":1}", "[\"x\"]"})
    @DisplayName("has a label that is no text: it is not shown, and the lock is a lock")
    void foreignLabel(String label) {
        write(
                "{\"lockId\":\"ID\",\"expiresAtMs\":END,\"acquiredAtMs\":1,\"key\":\"k\",\"fence\":\"000000000000007\",\"label\":"
                        + label + "}");

        assertThat(one.findByKey(key, none()).orElseThrow().label()).isNull();
        assertThat(one.findById(theirs, none()).orElseThrow().fence().value()).isEqualTo(7);
    }

    @Test
    @DisplayName("and one of ours with a label: one more field of the same object")
    void ourLabel() {
        LockId mine = one.newLockId(key);
        var granted = one.acquire(new AcquireRequest(key, mine, new Ttl(60_000), false, "a\"b/漢"), none());

        assertThat(granted).isInstanceOf(dev.syncguard.spi.AcquireOutcome.Granted.class);
        assertThat(stored()).endsWith(",\"label\":\"a\\\"b\\/漢\"}");
    }
}
