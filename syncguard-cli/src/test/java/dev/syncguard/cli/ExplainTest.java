package dev.syncguard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code explain} against the vectors that all languages share. */
class ExplainTest {

    private static final ObjectMapper JSON = JsonMapper.builder()
            .enable(JsonWriteFeature.ESCAPE_NON_ASCII) // half of a pair has no UTF-8 form
            .build();

    @TempDir
    Path directory;

    private static JsonNode vectors(String group) throws IOException {
        return JSON.readTree(new File("../syncguard-core/src/test/resources/interop-vectors.json"))
                .get(group);
    }

    private List<JsonNode> explain(List<String> keys, String... options) throws IOException {
        StringBuilder input = new StringBuilder();
        for (String key : keys) {
            input.append(JSON.writeValueAsString(key)).append('\n');
        }
        List<String> args = new ArrayList<>(List.of("explain", "--stdin", "--format", "json"));
        args.addAll(List.of(options));
        List<JsonNode> lines = new ArrayList<>();
        for (String line : Cli.onFile(directory)
                .runWithInput(input.toString(), args.toArray(String[]::new))
                .out()
                .lines()
                .toList()) {
            lines.add(JSON.readTree(line));
        }
        assertThat(lines).hasSameSizeAs(keys);
        return lines;
    }

    @Test
    @DisplayName("normal form and hash are those of the vectors")
    void normalised() throws IOException {
        List<JsonNode> pairs = new ArrayList<>();
        List<String> keys = new ArrayList<>();
        for (JsonNode pair : vectors("normalizeKey")) {
            pairs.add(pair.get("out"));
            keys.add(pair.get("in").asText());
        }
        for (JsonNode pair : vectors("hashKey")) {
            pairs.add(pair.get("out"));
            keys.add(pair.get("in").asText());
        }
        List<JsonNode> lines = explain(keys);
        int compared = 0;
        for (int i = 0; i < lines.size(); i++) {
            JsonNode line = lines.get(i);
            JsonNode out = pairs.get(i);
            if (out.isTextual()) {
                compared += line.has("hash") ? 1 : 0;
                assertThat(line.path("hash").asText(out.asText())).isEqualTo(out.asText());
            } else if (out.has("error")) {
                assertThat(line)
                        .isEqualTo(
                                JSON.createObjectNode().put("key", keys.get(i)).put("error", "InvalidArgument"));
            } else {
                assertThat(line.get("key").asText()).isEqualTo(out.get("ok").asText());
            }
        }
        assertThat(compared).isGreaterThan(20);
    }

    @Test
    @DisplayName("storage and fence keys on Redis are those of the vectors, under any prefix")
    void stored() throws IOException {
        int compared = 0;
        for (JsonNode pair : vectors("storageKey")) {
            boolean isRedis =
                    pair.get("limit").asInt() == 1000 && pair.get("reserve").asInt() == 26;
            if (!isRedis) {
                continue;
            }
            JsonNode line = explain(
                            List.of(pair.get("key").asText()),
                            "--prefix",
                            pair.get("prefix").asText())
                    .get(0);
            if (line.has("redis")) {
                compared++;
                assertThat(line.get("redis").path("lock").asText())
                        .isEqualTo(pair.get("base").path("ok").asText());
                assertThat(line.get("redis").path("fence").asText())
                        .isEqualTo(pair.path("fenceKey").path("ok").asText());
            }
        }
        assertThat(compared).isPositive();
    }

    @Test
    @DisplayName("a key that one store refuses has the error there; half a surrogate is no key at all")
    void refused() throws IOException {
        List<JsonNode> lines = explain(List.of("id:AAAAAAAAAAAAAAAAAAAAAA", "a/b", "\ud800"));
        assertThat(lines.get(0).get("redis").toString()).isEqualTo("{\"error\":\"InvalidArgument\"}");
        assertThat(lines.get(0).get("postgresql").get("lock").asText()).startsWith("id:");
        assertThat(lines.get(0).get("sqlite"))
                .as("the default store, with the names of every SQL store")
                .isEqualTo(lines.get(0).get("postgresql"));
        assertThat(lines.get(1).get("firestore").get("lock").asText()).hasSize(22);
        assertThat(lines.get(2).toString()).contains("error");
        Cli.onFile(directory).runWithInput("not json\n", "explain", "--stdin").exits(2);
    }
}
