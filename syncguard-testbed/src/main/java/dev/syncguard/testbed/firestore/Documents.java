package dev.syncguard.testbed.firestore;

import com.google.firestore.v1.Document;
import com.google.protobuf.Timestamp;
import io.grpc.StatusRuntimeException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** What is stored now, and enough of what was before to read a past state. */
final class Documents {

    /** How many changes can be looked back upon. The service keeps an hour. */
    private static final int HISTORY = 10_000;

    private record Past(long version, Timestamp time, Change change) {}

    private final NavigableMap<DocumentName, Document> current = new TreeMap<>();
    private final Deque<Past> history = new ArrayDeque<>();
    private long version;
    private Timestamp forgotten = Timestamp.getDefaultInstance();
    private long forgottenVersion;

    Snapshot current() {
        return new Snapshot(current);
    }

    /** Counts commits. Unlike times, it never goes back. */
    long version() {
        return version;
    }

    long versionAt(Timestamp time) {
        return newestFirst()
                .filter(past -> ServerClock.ORDER.compare(past.time(), time) <= 0)
                .findFirst()
                .map(Past::version)
                .orElseGet(() -> forgottenVersion(time));
    }

    private long forgottenVersion(Timestamp time) {
        if (ServerClock.ORDER.compare(forgotten, time) > 0) {
            throw tooOld();
        }
        return forgottenVersion;
    }

    /** The state as of a version: what has changed since is taken back on a copy. */
    Snapshot asOf(long version) {
        if (forgottenVersion > version) {
            throw tooOld();
        }
        NavigableMap<DocumentName, Document> state = new TreeMap<>(current);
        since(version).forEach(change -> put(state, change.name(), change.before()));
        return new Snapshot(state);
    }

    /** Whether one of the changes since a version is such. Those that are forgotten might have been. */
    boolean changedSince(long version, Predicate<Change> such) {
        return forgottenVersion > version || since(version).anyMatch(such);
    }

    private Stream<Change> since(long version) {
        return newestFirst().takeWhile(past -> past.version() > version).map(Past::change);
    }

    private Stream<Past> newestFirst() {
        Iterable<Past> descending = history::descendingIterator;
        return StreamSupport.stream(descending.spliterator(), false);
    }

    private static StatusRuntimeException tooOld() {
        return Errors.failedPrecondition("The requested snapshot version is too old.");
    }

    void apply(List<Change> changes, Timestamp time) {
        version++;
        for (Change change : changes) {
            put(current, change.name(), change.after());
            history.addLast(new Past(version, time, change));
        }
        while (history.size() > HISTORY) {
            Past oldest = history.removeFirst();
            forgotten = oldest.time();
            forgottenVersion = oldest.version();
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
