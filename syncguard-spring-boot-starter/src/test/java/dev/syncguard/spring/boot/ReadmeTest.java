package dev.syncguard.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.json.JsonParserFactory;

class ReadmeTest {

    private static final Pattern ROW =
            Pattern.compile("(?m)^\\| `((?:syncguard|management)\\.[a-z.-]+)` \\| ([^|]*) \\|");

    @Test
    @DisplayName("the table of properties has exactly those of the metadata, each with its default")
    void properties() throws IOException {
        Map<String, String> listed = new TreeMap<>();
        Matcher rows = ROW.matcher(readme());
        while (rows.find()) {
            listed.put(rows.group(1), rows.group(2).replace("`", "").strip());
        }

        assertThat(listed).isEqualTo(metadata());
    }

    @Test
    @DisplayName("every property has a description")
    void descriptions() throws IOException {
        assertThat(all())
                .allSatisfy(property -> assertThat(property.get("description"))
                        .as("%s", property.get("name"))
                        .isNotNull());
    }

    private static String readme() throws IOException {
        return Files.readString(Path.of("README.md"), StandardCharsets.UTF_8);
    }

    private static Map<String, String> metadata() throws IOException {
        Map<String, String> properties = new TreeMap<>();
        for (Map<String, Object> property : all()) {
            Object value = property.get("defaultValue");
            properties.put(
                    (String) property.get("name"),
                    value == null || value.toString().equals("[]") ? "" : value.toString());
        }
        return properties;
    }

    @SuppressWarnings("unchecked")
    private static Iterable<Map<String, Object>> all() throws IOException {
        Path file = Path.of("target/classes/META-INF/spring-configuration-metadata.json");
        Map<String, Object> metadata =
                JsonParserFactory.getJsonParser().parseMap(Files.readString(file, StandardCharsets.UTF_8));
        return (Iterable<Map<String, Object>>) metadata.get("properties");
    }
}
