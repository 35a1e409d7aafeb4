package dev.syncguard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.syncguard.LockException.Code;
import dev.syncguard.spi.StorageKeys;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Every pair of the vectors that the other languages hold, too. */
class InteropVectorsTest {

    private static final String INDEX_ID = "AAAAAAAAAAAAAAAAAAAAAA";

    @TestFactory
    @Rule("HSH-1")
    Stream<DynamicTest> hashKey() throws IOException {
        return each("hashKey", pair -> () -> {
            String hash = KeyHash.canonical().hash(pair.get("in").asText());
            assertThat(hash).isEqualTo(pair.get("out").asText());
            return hash;
        });
    }

    @TestFactory
    @Rule("HSH-1")
    Stream<DynamicTest> normalizeKey() throws IOException {
        return each("normalizeKey", pair -> () -> {
            expect(pair.get("out"), () -> LockKey.of(pair.get("in").asText()).value());
            return null;
        });
    }

    @TestFactory
    @Rule("HSH-1")
    Stream<DynamicTest> storageKey() throws IOException {
        return each("storageKey", pair -> () -> {
            StorageKeys keys = new StorageKeys(
                    pair.get("prefix").asText(),
                    pair.get("limit").asInt(),
                    pair.get("reserve").asInt());
            String key = pair.get("key").asText();
            expect(pair.get("base"), () -> keys.storageKey(key));
            expect(pair.get("indexKey"), () -> keys.index(LockId.parse(INDEX_ID)));
            if (pair.has("fenceKey")) {
                expect(pair.get("fenceKey"), () -> keys.storageKey("fence:" + keys.storageKey(key)));
            }
            return null;
        });
    }

    @TestFactory
    @Rule("HSH-1")
    Stream<DynamicTest> lockId() throws IOException {
        return each("lockId", pair -> () -> {
            JsonNode out = pair.get("out");
            String text = pair.get("in").asText();
            if (out.has("error")) {
                assertRefused(() -> LockId.parse(text));
            } else {
                assertThat(LockId.parse(text).value()).isEqualTo(text);
            }
            return null;
        });
    }

    @TestFactory
    @Rule("HSH-1")
    Stream<DynamicTest> formatFence() throws IOException {
        return each("formatFence", pair -> () -> {
            expect(
                    pair.get("out"),
                    () -> new Fence(Long.parseLong(pair.get("in").asText())).toString());
            return null;
        });
    }

    private static void expect(JsonNode out, Callable<String> call) throws Exception {
        if (out.has("error")) {
            assertThat(out.get("error").asText()).isEqualTo(Code.INVALID_ARGUMENT.specName());
            assertRefused(call);
        } else {
            assertThat(call.call()).isEqualTo(out.get("ok").asText());
        }
    }

    private static void assertRefused(Callable<?> call) {
        assertThatThrownBy(call::call)
                .isInstanceOfSatisfying(
                        LockException.class, e -> assertThat(e.code()).isEqualTo(Code.INVALID_ARGUMENT));
    }

    private static Stream<DynamicTest> each(String group, Function<JsonNode, Callable<?>> check) throws IOException {
        try (InputStream json = InteropVectorsTest.class.getResourceAsStream("/interop-vectors.json")) {
            JsonNode pairs = new ObjectMapper().readTree(json).get(group);
            assertThat(pairs).isNotEmpty();
            int[] number = {0};
            return StreamSupport.stream(pairs.spliterator(), false)
                    .map(pair -> dynamicTest(
                            group + " " + number[0]++, () -> check.apply(pair).call()))
                    .toList()
                    .stream();
        }
    }
}
