package dev.syncguard.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Every relative link and anchor in the Markdown of the repository leads somewhere. */
class DocumentLinksTest {

    private static final Pattern LINK = Pattern.compile("\\]\\(([^()\\s]+)\\)");
    private static final Pattern IMAGE = Pattern.compile("(?:src|srcset)=\"([^\"]+)\"");
    private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} (.+)$");
    private static final Pattern FENCED = Pattern.compile("(?ms)^```.*?^```");
    private static final Pattern NOT_IN_ANCHOR = Pattern.compile("[^\\p{L}\\p{N}_ -]");

    private final Map<Path, Set<String>> anchors = new HashMap<>();

    @Test
    @DisplayName("every relative link leads to a file, and every anchor to a heading")
    void links() {
        List<String> broken = new ArrayList<>();
        for (Path page : Documents.markdown()) {
            targets(page)
                    .filter(target -> !leadsSomewhere(page, target))
                    .forEach(target -> broken.add(Documents.name(page) + " -> " + target));
        }
        assertThat(broken).isEmpty();
    }

    @Test
    @DisplayName("no page has a link to a place on one machine")
    void relativeLinks() {
        assertThat(Documents.markdown().stream()
                        .flatMap(DocumentLinksTest::targets)
                        .filter(target -> target.startsWith("/") || target.startsWith("file:")))
                .isEmpty();
    }

    private static Stream<String> targets(Path page) {
        String prose = Documents.prose(page);
        return Stream.of(LINK, IMAGE)
                .flatMap(pattern -> pattern.matcher(prose).results())
                .map(link -> link.group(1))
                .filter(target -> !target.matches("[a-z]+://.*|mailto:.*"));
    }

    private boolean leadsSomewhere(Path page, String target) {
        String[] parts = target.split("#", 2);
        Path file = parts[0].isEmpty() ? page : page.resolveSibling(parts[0]).normalize();
        if (!Files.exists(file)) {
            return false;
        }
        Path document = Files.isDirectory(file) ? file.resolve("README.md") : file;
        return parts.length == 1
                || anchors.computeIfAbsent(document, DocumentLinksTest::anchorsOf)
                        .contains(parts[1]);
    }

    /** As GitHub makes them: lower case, punctuation dropped, blanks to hyphens, repetitions numbered. */
    private static Set<String> anchorsOf(Path document) {
        Set<String> found = new HashSet<>();
        Map<String, Integer> seen = new HashMap<>();
        HEADING.matcher(FENCED.matcher(Documents.read(document)).replaceAll(""))
                .results()
                .map(heading -> heading.group(1).replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1"))
                .map(text -> NOT_IN_ANCHOR
                        .matcher(text.strip().toLowerCase(Locale.ROOT))
                        .replaceAll("")
                        .replace(' ', '-'))
                .forEach(anchor -> {
                    int before = seen.merge(anchor, 1, Integer::sum) - 1;
                    found.add(before == 0 ? anchor : anchor + "-" + before);
                });
        return found;
    }
}
