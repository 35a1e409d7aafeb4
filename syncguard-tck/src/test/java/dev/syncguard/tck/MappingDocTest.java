package dev.syncguard.tck;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Holds {@code docs/spec/mapping.md} and the public types together. */
class MappingDocTest {

    private static final Pattern JAVA_TYPE = Pattern.compile("(?m)^\\| `([A-Z][A-Za-z]+)` \\|");
    private static final String BACK = "## From Java to the specification";

    private final Repository repository = new Repository();

    @Test
    @DisplayName("every type in the table from Java to the specification exists")
    void typesExist() {
        String document = repository.read("docs/spec/mapping.md");
        String table = document.substring(document.indexOf(BACK));
        List<String> types =
                JAVA_TYPE.matcher(table).results().map(row -> row.group(1)).toList();

        assertThat(types).hasSizeGreaterThan(40).isSorted();
        assertThat(repository.sources()).extracting(Repository::typeName).containsAll(types);
    }
}
