package dev.syncguard.faults.register;

import dev.syncguard.faults.history.HistoryWriter;
import dev.syncguard.faults.history.Line;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** One value per key, guarded by fences: accepts nothing below the highest fence that it has seen, also of readers. */
final class Register {

    /** What the register answers. */
    record Answer(boolean accepted, String value) {}

    private static final class Cell {
        private long highest;
        private String value = "";
    }

    private final Map<String, Cell> cells = new ConcurrentHashMap<>();
    private final HistoryWriter history;

    Register(HistoryWriter history) {
        this.history = history;
    }

    Answer read(String key, String fence, String by) {
        Cell cell = cells.computeIfAbsent(key, name -> new Cell());
        synchronized (cell) {
            boolean accepted = admit(cell, fence);
            log(key, fence, by, accepted, history.line("read").put("value", cell.value));
            return new Answer(accepted, cell.value);
        }
    }

    Answer write(String key, String fence, String by, String base, String value) {
        Cell cell = cells.computeIfAbsent(key, name -> new Cell());
        synchronized (cell) {
            boolean accepted = admit(cell, fence);
            cell.value = accepted ? value : cell.value;
            Line line = history.line("write").put("value", value).put("note", base);
            log(key, fence, by, accepted, line);
            return new Answer(accepted, cell.value);
        }
    }

    private static boolean admit(Cell cell, String fence) {
        long number = Long.parseLong(fence);
        if (number < cell.highest) {
            return false;
        }
        cell.highest = number;
        return true;
    }

    /** Under the lock of the key, so that the order of the lines is that of the decisions. */
    private void log(String key, String fence, String by, boolean accepted, Line line) {
        history.write(line.put("key", key).put("fence", fence).put("by", by).put("accepted", accepted));
    }
}
