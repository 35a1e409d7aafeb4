package dev.syncguard.cli.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.syncguard.LockException;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "plain",
                "\"quoted\\\"",
                "line\nfeed\ttab\u0000\u001b\u007f",
                "ключ 漢字 😀",
                "a\ud800b",
                "c1 \u0085\u009b bidi \u202e\u2066\u200f\u061c lines \u2028\u2029 \ufeff tag \udb40\udc41",
                "\udc00"
            })
    @DisplayName("every text survives writing and reading, by our reader and by Jackson's")
    void roundTrip(String text) throws IOException {
        String json = new Json().put("t", text).toString();
        assertThat(new ObjectMapper().readTree(json).get("t").asText()).isEqualTo(text);
        assertThat(JsonString.parse(json.substring("{\"t\":".length(), json.length() - 1)))
                .isEqualTo(text);
    }

    @Test
    @DisplayName("what a terminal would act on is named, in and outside of the first plane")
    void inert() {
        assertThat(new Json().put("t", "\u009b\u202e\u2069\u200b\u2028\udb40\udc41é漢😀"))
                .hasToString("{\"t\":\"\\u009b\\u202e\\u2069\\u200b\\u2028\\udb40\\udc41é漢😀\"}");
    }

    @Test
    @DisplayName("characters that show nothing are named: two keys that differ never look the same")
    void invisible() {
        String hidden = "\u00ad\u034f\u115f\u1160\u17b4\u180b\u200d\u2060\u3164\ufe00\uffa0\ufeff\udb40\udd00";
        assertThat(Printable.of(hidden)).matches("[\\x20-\\x7e]+");
        assertThat(new Json().put("t", hidden).toString()).matches("[\\x20-\\x7e]+");
        assertThat(Printable.of("❤️ é 漢")).isEqualTo("❤️ é 漢");
    }

    @Test
    @DisplayName("fields stand in the order in which they were put")
    void order() {
        Json inner = new Json().put("b", true);
        assertThat(new Json().put("z", 1).put("a", inner).put("l", List.of(inner, inner)))
                .hasToString("{\"z\":1,\"a\":{\"b\":true},\"l\":[{\"b\":true},{\"b\":true}]}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "x",
                "\"",
                "\"a",
                "a\"",
                "\"a\"b\"",
                "\"\\\"",
                "\"\\x\"",
                "\"\\u12\"",
                "\"\\u12g4\"",
                "\"a\tb\"",
                "42"
            })
    @DisplayName("what is no JSON string is refused")
    void malformed(String line) {
        assertThatThrownBy(() -> JsonString.parse(line)).isInstanceOf(LockException.class);
    }
}
