package dev.syncguard.faults.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.syncguard.faults.checker.Timeline;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * The page of a run or of a round: verdict, promises, counters, faults, and of a round the timeline of each key.
 *
 * <p>It is written from what is kept, so that it can be drawn again at any time.
 */
public final class Report {

    /** The page, beside the result. */
    public static final String FILE = "report.html";

    private static final String RESULT = "result.json";
    private static final String HISTORY = "history";
    private static final String DATA = "@DATA@";
    private static final ObjectMapper JSON = new ObjectMapper();

    private Report() {}

    /**
     * Writes the page of a directory with a result, and those of its rounds.
     *
     * @param directory of a run or of a round
     * @return the page
     * @throws IllegalArgumentException if there is no result in it
     */
    public static Path write(Path directory) {
        try {
            for (Path round : rounds(directory)) {
                page(round.resolve(FILE), data(round));
            }
            return page(directory.resolve(FILE), withRounds(directory));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Writes the page of a run to another place, where the pages of its rounds are not.
     *
     * @param directory of a run
     * @param page the file
     */
    public static void keep(Path directory, Path page) {
        try {
            page(page, withRounds(directory).put("alone", true));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ObjectNode withRounds(Path directory) throws IOException {
        ObjectNode data = data(directory);
        for (Path round : rounds(directory)) {
            ObjectNode entry = data.withArray("rounds").addObject();
            entry.put("name", String.valueOf(round.getFileName()));
            entry.set(
                    "result", withoutEvents(JSON.readTree(round.resolve(RESULT).toFile())));
        }
        return data;
    }

    private static List<Path> rounds(Path directory) throws IOException {
        if (!Files.exists(directory.resolve(RESULT))) {
            throw new IllegalArgumentException("no " + RESULT + " in " + directory);
        }
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> Files.exists(file.resolve(RESULT)))
                    .sorted()
                    .toList();
        }
    }

    /** What the page of a run shows of its rounds: the events are on their own pages. */
    private static JsonNode withoutEvents(JsonNode result) {
        result.path("violations").forEach(violation -> ((ObjectNode) violation).remove("events"));
        return result;
    }

    private static ObjectNode data(Path directory) throws IOException {
        ObjectNode data = JSON.createObjectNode();
        data.set("result", JSON.readTree(directory.resolve(RESULT).toFile()));
        if (Files.isDirectory(directory.resolve(HISTORY))) {
            data.set("timeline", TimelineJson.of(Timeline.of(directory)));
        }
        return data;
    }

    private static Path page(Path page, ObjectNode data) throws IOException {
        // Keys may be hostile: nothing in them ends the element that they stand in.
        String json = JSON.writeValueAsString(data).replace("<", "\\u003c");
        Files.writeString(page, template().replace(DATA, json));
        return page;
    }

    private static String template() throws IOException {
        try (InputStream page = Report.class.getResourceAsStream(FILE)) {
            return new String(Objects.requireNonNull(page, FILE).readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
