package dev.syncguard.examples;

import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What the README says of modules, versions and commands is what the build has. */
class ReadmeTest {

    private static final Pattern MODULE = Pattern.compile("<module>(syncguard-[a-z-]+)</module>");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| \\[`(syncguard-[a-z-]+)`]\\(\\1\\) \\|");
    private static final Pattern VERSION =
            Pattern.compile("<artifactId>syncguard-(?:parent|bom)</artifactId>\\s*<version>([^<]+)</version>");
    private static final Pattern NAME = Pattern.compile("(?m)^(?:open )?module dev\\.syncguard\\.([a-z.]+) ");

    private final String readme = Documents.read(Documents.ROOT.resolve("README.md"));
    private final String pom = Documents.read(Documents.ROOT.resolve("pom.xml"));

    @Test
    @DisplayName("the table of modules has all modules of the build")
    void modules() {
        assertThat(all(ROW, readme)).isEqualTo(all(MODULE, pom));
    }

    @Test
    @DisplayName("the names for a module-info.java are those of the modules")
    void moduleNames() {
        for (Path source : Documents.files("module-info.java")) {
            assertThat(all(NAME, Documents.read(source)))
                    .as(Documents.name(source))
                    .singleElement()
                    .satisfies(name -> assertThat(readme).containsPattern("`(dev\\.syncguard)?\\." + name + "`"));
        }
    }

    @Test
    @DisplayName("README and guide depend on the version of this build")
    void version() {
        Set<String> version = all(VERSION, pom);
        assertThat(version).hasSize(1);
        for (Path page : Documents.pages()) {
            assertThat(version).as(Documents.name(page)).containsAll(all(VERSION, Documents.read(page)));
        }
        assertThat(all(VERSION, readme)).isEqualTo(version);
    }

    @Test
    @DisplayName("the two commands are the demo and what CI runs")
    void commands() {
        assertThat(readme).contains("| `./syncguard demo` |").contains("| `./mvnw verify` |");
        assertThat(Documents.read(Documents.ROOT.resolve(".ci/run"))).endsWith("\n./mvnw verify\n");
    }

    private static Set<String> all(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(found -> found.group(1)).collect(toCollection(TreeSet::new));
    }
}
