package dev.syncguard.testbed.firestore;

import com.google.firestore.v1.Document;
import com.google.protobuf.Timestamp;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What is stored now, and enough of what was before to read a past state. */
final class Documents {

    /** How many changes can be looked back upon. The service keeps an hour. */
    private static final int HISTORY = 10_000;

    private record Past(Timestamp until, Change change) {}

    private final NavigableMap<DocumentName, Document> current = new TreeMap<>();
    private final Deque<Past> history = new ArrayDeque<>();
    private Timestamp forgottenUntil = Timestamp.getDefaultInstance();

    Snapshot current() {
        return new Snapshot(current);
    }

    /** The state as of a time: what has changed since is taken back on a copy. */
    Snapshot asOf(Timestamp time) {
        NavigableMap<DocumentName, Document> state = new TreeMap<>(current);
        Iterator<Past> newestFirst = history.descendingIterator();
        while (newestFirst.hasNext()) {
            Past past = newestFirst.next();
            if (ServerClock.ORDER.compare(past.until(), time) <= 0) {
                return new Snapshot(state);
            }
            put(state, past.change().name(), past.change().before());
        }
        if (isForgotten(time)) {
            throw Errors.failedPrecondition("The requested snapshot version is too old.");
        }
        return new Snapshot(state);
    }

    /** Whether one of the changes since a time is such. Those that are forgotten might have been. */
    boolean changedSince(Timestamp time, Predicate<Change> such) {
        Iterator<Past> newestFirst = history.descendingIterator();
        while (newestFirst.hasNext()) {
            Past past = newestFirst.next();
            if (ServerClock.ORDER.compare(past.until(), time) <= 0) {
                return false;
            }
            if (such.test(past.change())) {
                return true;
            }
        }
        return isForgotten(time);
    }

    private boolean isForgotten(Timestamp time) {
        return ServerClock.ORDER.compare(forgottenUntil, time) > 0;
    }

    void apply(List<Change> changes, Timestamp time) {
        for (Change change : changes) {
            put(current, change.name(), change.after());
            history.addLast(new Past(time, change));
        }
        while (history.size() > HISTORY) {
            forgottenUntil = history.removeFirst().until();
        }
    }

    void clear() {
        current.clear();
        history.clear();
    }

    private static void put(
            NavigableMap<DocumentName, Document> state, DocumentName name, @Nullable Document document) {
        if (document == null) {
            state.remove(name);
        } else {
            state.put(name, document);
        }
    }
}
