package dev.syncguard.tck;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Holds {@code docs/spec/rules.md} and the tests of the whole repository together. */
class RulesDocTest {

    private static final String UNTESTABLE = "untestable: because ";
    private static final Pattern ROW = Pattern.compile("(?m)^\\| ([A-Z]{3}-\\d+) \\| (.+?) \\| (.+?) \\| (.+?) \\|$");
    private static final Pattern START_OF_ROW = Pattern.compile("(?m)^\\| *[A-Z]{3}-\\d");
    private static final Pattern ON_TEST = Pattern.compile("@Rule\\(\"([^\"]*)\"\\)");
    private static final Pattern IN_JAVADOC = Pattern.compile("<b>([A-Z]{3}-\\d+)</b>");

    private final Repository repository = new Repository();
    private final List<DocumentedRule> documented = documented();
    private final Set<String> ids = documented.stream().map(DocumentedRule::id).collect(toSet());

    /** One row of the document. */
    private record DocumentedRule(String id, String sentence, String heldBy) {

        boolean isUntestable() {
            return heldBy.startsWith(UNTESTABLE) && heldBy.length() > UNTESTABLE.length() + 10;
        }

        List<String> testClasses() {
            return isUntestable() ? List.of() : Arrays.asList(heldBy.split(", "));
        }
    }

    /** An id in a source file. */
    private record Mention(String id, String className) {}

    @Test
    @DisplayName("every rule has an id of its own and exactly one MUST")
    void oneRuleOneMust() {
        assertThat(documented)
                .extracting(DocumentedRule::id)
                .doesNotHaveDuplicates()
                .hasSizeGreaterThan(100);
        assertThat(documented)
                .filteredOn(rule -> rule.sentence().split("MUST", -1).length != 2)
                .isEmpty();
    }

    @Test
    @DisplayName("every rule is held by the tests that it names, or says why it cannot be")
    void heldByTests() {
        Set<Mention> onTests = mentions(ON_TEST).collect(toSet());

        Stream<Mention> promised = documented.stream()
                .flatMap(rule -> rule.testClasses().stream().map(name -> new Mention(rule.id(), name)));

        assertThat(promised.filter(mention -> !onTests.contains(mention)))
                .as("tests that the document names but that do not carry the rule")
                .isEmpty();
    }

    @Test
    @DisplayName("every id on a test is in the document")
    void testsAreDocumented() {
        assertThat(undocumented(ON_TEST)).isEmpty();
    }

    @Test
    @DisplayName("every id in the documentation of the code is in the document")
    void javadocIsDocumented() {
        assertThat(undocumented(IN_JAVADOC)).isEmpty();
    }

    private List<Mention> undocumented(Pattern pattern) {
        List<Mention> mentions = mentions(pattern).toList();
        assertThat(mentions).hasSizeGreaterThan(10);
        return mentions.stream().filter(mention -> !ids.contains(mention.id())).toList();
    }

    private List<DocumentedRule> documented() {
        String document = repository.read("docs/spec/rules.md");
        List<DocumentedRule> rules = ROW.matcher(document)
                .results()
                .map(row -> new DocumentedRule(row.group(1), row.group(2), row.group(4)))
                .toList();
        assertThat(START_OF_ROW.matcher(document).results()).as("rows").hasSameSizeAs(rules);
        return rules;
    }

    private Stream<Mention> mentions(Pattern pattern) {
        return repository.sources().stream()
                .flatMap(file -> pattern.matcher(Repository.read(file))
                        .results()
                        .map(found -> new Mention(found.group(1), Repository.typeName(file))));
    }
}
