package dev.syncguard.examples;

import static java.util.stream.Collectors.toCollection;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Every decision and rule that a source or a page names has a place in this repository. */
class DecisionIdsTest {

    private static final Path RECORDS = Documents.ROOT.resolve("docs/adr");

    /** The fault suite numbers its workloads W1, W2 and so on. */
    private static final String OWN_NUMBERS = "syncguard-faults/";

    /** F1 to F4, T1 to T7, A1 to A12, K1 to K9, W1 to W5, E1 to E14, R9, and ADR-003 to ADR-013. */
    private static final Pattern DECISION = Pattern.compile("(?<![\\w+.-])([AEFKTW]\\d{1,2}|R9|ADR-\\d{3})(?![\\w.-])");

    private static final Pattern RULE = Pattern.compile("\\b([A-Z]{3})-(\\d{1,2})\\b");
    private static final Pattern RULE_ROW = Pattern.compile("(?m)^\\| ([A-Z]{3}-\\d+) \\|");
    private static final Set<String> NEVER_GIVEN_OUT = Set.of("EXT-6");

    @Test
    @DisplayName("every decision that is named has a record in docs/adr")
    void decisions() {
        Set<String> named = sources()
                .filter(file -> !Documents.name(file).startsWith(OWN_NUMBERS))
                .flatMap(file -> DECISION.matcher(Documents.read(file)).results())
                .map(id -> id.group(1))
                .collect(toCollection(TreeSet::new));

        assertThat(named).hasSizeGreaterThan(30);
        assertThat(named)
                .allSatisfy(id -> assertThat(RECORDS.resolve(id + ".md")).exists());
    }

    @Test
    @DisplayName("every record stands in the index, and begins with its id")
    void records() throws Exception {
        String index = Documents.read(RECORDS.resolve("README.md"));
        try (Stream<Path> files = Files.list(RECORDS)) {
            List<Path> records =
                    files.filter(file -> !file.endsWith("README.md")).toList();
            assertThat(records).hasSizeGreaterThan(60).allSatisfy(record -> {
                String id = record.getFileName().toString().replace(".md", "");
                assertThat(index).contains("[" + id + "](" + id + ".md)");
                assertThat(Documents.read(record)).startsWith("# " + id + ": ").contains("\n**Cost:** ");
            });
        }
    }

    @Test
    @DisplayName("every rule that is named stands in docs/spec/rules.md")
    void rules() {
        String document = Documents.read(Documents.ROOT.resolve("docs/spec/rules.md"));
        Set<String> rules =
                RULE_ROW.matcher(document).results().map(row -> row.group(1)).collect(toSet());
        Set<String> groups = rules.stream().map(rule -> rule.substring(0, 3)).collect(toSet());

        Set<String> unknown = sources()
                .flatMap(file -> RULE.matcher(Documents.read(file)).results())
                .filter(rule -> groups.contains(rule.group(1)))
                .map(rule -> rule.group())
                .filter(rule -> !rules.contains(rule) && !NEVER_GIVEN_OUT.contains(rule))
                .collect(toCollection(TreeSet::new));

        assertThat(rules).hasSizeGreaterThan(100);
        assertThat(unknown).isEmpty();
    }

    private static Stream<Path> sources() {
        return Documents.files(".java", ".kt", ".md", ".lua", ".sql", ".xml", ".tla", ".cfg", ".sh").stream()
                .filter(file -> !file.endsWith("DecisionIdsTest.java"));
    }
}
