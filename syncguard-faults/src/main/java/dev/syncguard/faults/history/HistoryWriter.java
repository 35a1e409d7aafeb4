package dev.syncguard.faults.history;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Appends to the history of one process. Each line is one write that is done before the process goes on, so a process that is
 * killed loses nothing that happened. Not a channel: that would be closed by the interrupts of the workloads.
 */
public final class HistoryWriter implements AutoCloseable {

    private final String process;
    private final FileOutputStream out;

    /**
     * Opens the history of a process.
     *
     * @param directory of the round
     * @param process its name
     */
    public HistoryWriter(Path directory, String process) {
        this.process = process;
        try {
            Path folder = Files.createDirectories(directory.resolve(Histories.FOLDER));
            this.out = new FileOutputStream(
                    folder.resolve(process + Histories.SUFFIX).toFile(), true);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Begins a line of this process that happens now. */
    public Line line(String event) {
        return lineAt(System.nanoTime(), event);
    }

    /** Begins a line of this process. */
    public Line lineAt(long time, String event) {
        return Line.at(time, process, event);
    }

    /** Writes a line. */
    public void write(Line line) {
        try {
            out.write(line.bytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the name of the process. */
    public String process() {
        return process;
    }

    @Override
    public void close() {
        try {
            out.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
