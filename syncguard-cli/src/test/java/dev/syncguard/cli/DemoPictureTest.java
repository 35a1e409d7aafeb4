package dev.syncguard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The picture in the README shows what the demo says; {@code docs/pictures/draw-demo} draws it anew. */
@Tag("once")
class DemoPictureTest {

    private static final Path PICTURE = Path.of("../docs/pictures/demo.svg");
    private static final Pattern LINE = Pattern.compile("(?m)^<text x=.*</text>$");

    @Test
    @DisplayName("the picture of the demo has the lines of a run, whoever of the three comes first")
    void picture() throws Exception {
        String run = Cli.on("memory:").run("demo").exits(0).out();

        Stream<String> drawn = LINE.matcher(Files.readString(PICTURE))
                .results()
                .map(line -> line.group().replaceAll("<[^>]*>", ""));
        assertThat(drawn.map(DemoPictureTest::comparable).sorted().toList()).isEqualTo(lines(run));
    }

    private static List<String> lines(String run) {
        return run.lines()
                .filter(line -> !line.isBlank())
                .map(DemoPictureTest::comparable)
                .sorted()
                .toList();
    }

    /** Without times and names, which differ from run to run. */
    private static String comparable(String line) {
        return line.replaceAll("\\d+\\.\\d+ s", "")
                .replaceAll("\\b(alice|bob|carol)\\b *", "")
                .strip();
    }
}
