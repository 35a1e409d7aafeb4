package dev.syncguard.testbed.firestore;

import com.google.firestore.v1.TransactionOptions;
import com.google.protobuf.ByteString;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The open transactions and the locks that they hold. A transaction that is not here has none. */
final class Transactions {

    private static final Duration IDLE_LIMIT = Duration.ofSeconds(60);
    private static final Duration TOTAL_LIMIT = Duration.ofSeconds(270);

    private final Map<ByteString, Transaction> open = new HashMap<>();
    private final boolean optimistic;
    private long count;

    Transactions(boolean optimistic) {
        this.optimistic = optimistic;
    }

    boolean isOptimistic() {
        return optimistic;
    }

    Transaction begin(TransactionOptions options, @Nullable PastState seen, Instant now) {
        long number = ++count;
        ByteString previous = options.getReadWrite().getRetryTransaction();
        long age = previous.isEmpty() ? number : Transaction.ageOf(previous);
        Transaction transaction = new Transaction(age, number, options.hasReadOnly(), seen, now);
        open.put(transaction.id(), transaction);
        return transaction;
    }

    Transaction use(ByteString id, Instant now) {
        expire(now);
        Transaction transaction = open.get(id);
        if (transaction == null) {
            throw Errors.invalid("The referenced transaction has expired or is no longer valid.");
        }
        transaction.use(now);
        return transaction;
    }

    boolean isOpen(Transaction transaction) {
        return open.containsKey(transaction.id());
    }

    void end(ByteString id) {
        open.remove(id);
    }

    void clear() {
        open.clear();
    }

    void expire(Instant now) {
        open.values()
                .removeIf(transaction -> now.isAfter(transaction.used().plus(IDLE_LIMIT))
                        || now.isAfter(transaction.begun().plus(TOTAL_LIMIT)));
    }

    /** Those whose locks stand in the way of the changes; optimistic ones do not. */
    List<Transaction> blocking(@Nullable Transaction own, List<Change> changes) {
        return optimistic
                ? List.of()
                : open.values().stream()
                        .filter(other -> other != own && changes.stream().anyMatch(other::protects))
                        .toList();
    }

    /**
     * Ends the youngest of a circle of commits that wait for each other. Only a commit ever waits, so a circle is closed
     * by the last commit that begins to.
     *
     * @return whether there was one
     */
    boolean breakCircle(Transaction own) {
        List<Transaction> circle = path(own, own, new HashSet<>());
        circle.stream().reduce((a, b) -> a.isYoungerThan(b) ? a : b).ifPresent(youngest -> end(youngest.id()));
        return !circle.isEmpty();
    }

    private List<Transaction> path(Transaction from, Transaction to, Set<Transaction> seen) {
        for (Transaction next : blocking(from, from.pending())) {
            List<Transaction> rest = next == to ? new ArrayList<>() : seen.add(next) ? path(next, to, seen) : List.of();
            if (next == to || !rest.isEmpty()) {
                rest.add(from);
                return rest;
            }
        }
        return List.of();
    }
}
