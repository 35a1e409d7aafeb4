package dev.syncguard.testbed.firestore;

import com.google.protobuf.ByteString;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A transaction that has begun and has not ended. */
final class Transaction {

    private static final int ID_BYTES = 2 * Long.BYTES;

    private final long age;
    private final long number;
    private final boolean readOnly;
    private final @Nullable PastState seen;
    private final Instant begun;
    private final Set<DocumentName> lockedNames = new HashSet<>();
    private final List<Query> lockedQueries = new ArrayList<>();
    private Instant used;
    private List<Change> pending = List.of();

    /**
     * Begins one.
     *
     * @param age the number of the first transaction that this one repeats, or its own
     * @param number counts transactions
     * @param readOnly whether it takes no locks and may not write
     * @param seen the state that it sees, if not the newest
     * @param now when it begins
     */
    Transaction(long age, long number, boolean readOnly, @Nullable PastState seen, Instant now) {
        this.age = age;
        this.number = number;
        this.readOnly = readOnly;
        this.seen = seen;
        this.begun = now;
        this.used = now;
    }

    /** The id tells the age, so that a retry can be given the place of a transaction that is long gone. */
    ByteString id() {
        return ByteString.copyFrom(
                ByteBuffer.allocate(ID_BYTES).putLong(age).putLong(number).flip());
    }

    static long ageOf(ByteString id) {
        if (id.size() != ID_BYTES) {
            throw Errors.invalid("Invalid transaction.");
        }
        return id.asReadOnlyByteBuffer().getLong();
    }

    boolean isReadOnly() {
        return readOnly;
    }

    @Nullable
    PastState seen() {
        return seen;
    }

    void use(Instant now) {
        used = now;
    }

    Instant begun() {
        return begun;
    }

    Instant used() {
        return used;
    }

    void lock(DocumentName name) {
        lockedNames.add(name);
    }

    void lock(Query query) {
        lockedQueries.add(query);
    }

    /** Whether this transaction has read something that the change would alter. */
    boolean protects(Change change) {
        return lockedNames.contains(change.name()) || lockedQueries.stream().anyMatch(change::touches);
    }

    /** What its commit waits to write; nothing while it does not wait. */
    List<Change> pending() {
        return pending;
    }

    void pending(List<Change> changes) {
        pending = changes;
    }

    boolean isYoungerThan(Transaction other) {
        return age != other.age ? age > other.age : number > other.number;
    }
}
