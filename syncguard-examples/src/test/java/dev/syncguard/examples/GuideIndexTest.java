package dev.syncguard.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The guide is one chain of pages, in the order of its index. */
class GuideIndexTest {

    private static final Pattern ENTRY = Pattern.compile("(?m)^- \\[[^]]+]\\(([a-z-]+\\.md)\\)");
    private static final Pattern TITLE = Pattern.compile("(?m)^# (.+)$");

    private final List<Path> order = ENTRY.matcher(Documents.read(Documents.GUIDE.resolve("README.md")))
            .results()
            .map(entry -> Documents.GUIDE.resolve(entry.group(1)))
            .toList();

    @Test
    @DisplayName("every page of the guide stands in the index once")
    void reachable() throws Exception {
        try (Stream<Path> files = Files.list(Documents.GUIDE)) {
            assertThat(order)
                    .doesNotHaveDuplicates()
                    .containsExactlyInAnyOrderElementsOf(
                            files.filter(file -> file.toString().endsWith(".md") && !file.endsWith("README.md"))
                                    .toList());
        }
    }

    @Test
    @DisplayName("the index calls each page by its title")
    void titles() {
        String index = Documents.read(Documents.GUIDE.resolve("README.md"));
        assertThat(order).allSatisfy(page -> assertThat(index).contains("- " + link(page)));
    }

    @Test
    @DisplayName("each page ends with links to the one before, the index and the next one")
    void chain() {
        for (int i = 0; i < order.size(); i++) {
            List<String> links = new ArrayList<>();
            if (i > 0) {
                links.add("← " + link(order.get(i - 1)));
            }
            links.add("[Guide](README.md)");
            if (i < order.size() - 1) {
                links.add(link(order.get(i + 1)) + " →");
            }
            assertThat(Documents.read(order.get(i)))
                    .as(Documents.name(order.get(i)))
                    .endsWith("\n\n---\n\n" + String.join(" · ", links) + "\n");
        }
    }

    private static String link(Path page) {
        String title = TITLE.matcher(Documents.read(page))
                .results()
                .findFirst()
                .orElseThrow()
                .group(1);
        return "[" + title + "](" + page.getFileName() + ")";
    }
}
