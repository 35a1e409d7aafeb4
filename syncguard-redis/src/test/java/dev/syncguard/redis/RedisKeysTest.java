package dev.syncguard.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockId;
import dev.syncguard.LockKey;
import dev.syncguard.spi.StorageKeys;
import dev.syncguard.spi.support.RedisNames;
import io.lettuce.core.cluster.SlotHash;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("keys")
class RedisKeysTest {

    private static final String ID = "AAAAAAAAAAAAAAAAAAAAAA";

    private final RedisKeys single = new RedisKeys("syncguard", false);
    private final RedisKeys cluster = new RedisKeys("syncguard", true);

    @Test
    @DisplayName("of one server are those of the specification")
    void singleServer() {
        RedisNamespace names = single.of(LockKey.of("resource:123"));

        assertThat(names.lock(LockKey.of("resource:123"))).isEqualTo("syncguard:resource:123");
        assertThat(names.index(LockId.parse(ID))).isEqualTo("syncguard:id:" + ID);
        assertThat(names.counter(LockKey.of("resource:123"))).isEqualTo("syncguard:fence:syncguard:resource:123");
    }

    @ParameterizedTest
    @ValueSource(strings = {"syncguard", "a:b", "A\u030A"})
    @DisplayName("are those of the common algorithm, also where they are longest")
    void sameAsCommon(String prefix) {
        for (String name : new String[] {prefix, prefix + "p".repeat(190), prefix + "p".repeat(500), "p".repeat(946)}) {
            for (String value : new String[] {"k", "k".repeat(512), "\u6f22".repeat(170), "\u0338x"}) {
                LockKey key = LockKey.of(value);
                StorageKeys common = new StorageKeys(name, 1000, 26);
                RedisNamespace names = new RedisKeys(name, false).of(key);

                assertThat(names.lock(key)).isEqualTo(common.lock(key));
                assertThat(names.counter(key)).isEqualTo(common.fence(key));
                assertThat(names.index(LockId.parse(ID))).isEqualTo(common.index(LockId.parse(ID)));
            }
        }
    }

    @Test
    @DisplayName("of a lock share a slot on a cluster, and lock ids lead to it")
    void clusterSlots() {
        for (int i = 0; i < 200; i++) {
            LockKey key = LockKey.of("key-" + i);
            LockId lockId = cluster.newLockId(key);
            RedisNamespace names = cluster.of(key);

            assertThat(lockId.value()).doesNotStartWith("-");
            assertThat(cluster.of(lockId)).isSameAs(names);
            int slot = SlotHash.getSlot(names.lock(key));
            assertThat(SlotHash.getSlot(names.index(lockId))).isEqualTo(slot);
            assertThat(SlotHash.getSlot(names.counter(key))).isEqualTo(slot);
        }
    }

    @Test
    @DisplayName("the namespace is the first four bytes of SHA-256, modulo 16")
    void shard() throws Exception {
        for (String text : new String[] {"a", "invoice:42", "käse", ID}) {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            int expected = new BigInteger(1, Arrays.copyOf(digest, 4))
                    .mod(BigInteger.valueOf(16))
                    .intValue();
            assertThat(RedisKeys.shardOf(text)).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"id:" + ID, "fence:syncguard:x", "fence:syncguard:"})
    @DisplayName("that name the library's own entries are refused")
    void reserved(String key) {
        assertThat(RedisNames.isReserved("syncguard", LockKey.of(key))).isTrue();
        assertThatThrownBy(() -> single.of(LockKey.of(key)))
                .asInstanceOf(InstanceOfAssertFactories.type(LockException.class))
                .satisfies(e -> {
                    assertThat(e.code()).isEqualTo(Code.INVALID_ARGUMENT);
                    assertThat(e).hasMessageContaining("reserved").hasMessageNotContaining(key);
                });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"id:short", "id:" + ID + "A", "fence:other:x", "fence:x", "fence", "id:", "Fence:syncguard:x"})
    @DisplayName("that only look like them are legal")
    void legal(String key) {
        assertThat(RedisNames.isReserved("syncguard", LockKey.of(key))).isFalse();
        assertThat(single.of(LockKey.of(key)).isLock("syncguard:" + key)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ":::",
                "a{b",
                "a}b",
                "a\nb",
                "id",
                "my:fence",
                "fence",
                "a:id:b",
                "a:fence:b",
                "id:a",
                "a:id:"
            })
    @DisplayName("prefixes under which namespaces could meet are refused")
    void badPrefix(String prefix) {
        assertThatThrownBy(() -> RedisKeys.checkPrefix(prefix))
                .asInstanceOf(InstanceOfAssertFactories.type(LockException.class))
                .extracting(LockException::code)
                .isEqualTo(Code.INVALID_ARGUMENT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"grid", "android", "defence", "my-id", "grid:a", "identity", "fences:a"})
    @DisplayName("prefixes that only contain the letters of a reserved segment are legal")
    void goodPrefix(String prefix) {
        assertThat(RedisKeys.checkPrefix(prefix)).isEqualTo(prefix);
    }

    @Test
    @DisplayName("a prefix is as long as leaves room for a hash, and loses its trailing colons")
    void prefixLimits() {
        assertThat(RedisKeys.checkPrefix("p".repeat(946) + "::")).isEqualTo("p".repeat(946));
        assertThatThrownBy(() -> RedisKeys.checkPrefix("p".repeat(947)))
                .isInstanceOfSatisfying(
                        LockException.class, e -> assertThat(e.code()).isEqualTo(Code.INVALID_ARGUMENT));
        assertThat(new RedisKeys("p".repeat(946), true)
                        .of(LockKey.of("k".repeat(512)))
                        .lock(LockKey.of("k".repeat(512)))
                        .length())
                .isLessThan(1000);
    }

    @Test
    @DisplayName("too long for the store are hashed")
    void hashed() {
        String prefix = "p".repeat(600);
        LockKey key = LockKey.of("k".repeat(512));

        assertThat(new RedisKeys(prefix, false).of(key).lock(key))
                .isEqualTo(prefix + ":" + StorageKeys.hash(prefix + ":" + key.value()));
    }

    @Test
    @DisplayName("the pattern of SCAN takes the prefix literally")
    void pattern() {
        assertThat(new RedisKeys("a*b?[c]", false).pattern()).isEqualTo("a\\*b\\?\\[c\\]:*");
        assertThat(cluster.pattern()).isEqualTo("{syncguard:*");
    }
}
