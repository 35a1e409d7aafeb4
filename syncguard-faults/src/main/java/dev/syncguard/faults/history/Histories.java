package dev.syncguard.faults.history;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** The histories of all processes of one round, in one order. */
public final class Histories {

    static final String FOLDER = "history";
    static final String SUFFIX = ".jsonl";

    private Histories() {}

    /**
     * Reads all histories of a round.
     *
     * @param directory of the round
     * @return the events by time
     */
    public static List<Event> read(Path directory) {
        try (Stream<Path> files = Files.list(directory.resolve(FOLDER))) {
            List<Event> events = new ArrayList<>();
            EventReader reader = new EventReader();
            for (Path file : files.filter(name -> name.toString().endsWith(SUFFIX))
                    .sorted()
                    .toList()) {
                read(file, reader, events);
            }
            events.sort(Comparator.comparingLong(Event::time));
            return events;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The last line of a process that was killed may be cut off: it never happened. */
    private static void read(Path file, EventReader reader, List<Event> events) throws IOException {
        try (BufferedReader lines = Files.newBufferedReader(file)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.endsWith("}")) {
                    events.add(reader.read(line));
                }
            }
        }
    }
}
