package dev.syncguard.faults.checker;

import dev.syncguard.faults.history.Event;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;

/** A lock that a client was told it has, and all that happened under its lock id. */
final class Grant {

    private static final long MILLI = 1_000_000;

    /** A little less than the shortest one of all stores. */
    private static final long COMMAND_TIMEOUT = 700 * MILLI;

    private final Operation acquire;
    private final Event ok;
    private final List<Operation> releases = new ArrayList<>();
    private final List<Operation> extensions = new ArrayList<>();
    private final List<Event> beliefs = new ArrayList<>();
    private final List<Event> losses = new ArrayList<>();

    Grant(Operation acquire) {
        this.acquire = acquire;
        this.ok = Objects.requireNonNull(acquire.end());
    }

    void add(Operation operation) {
        (operation.is("release") ? releases : extensions).add(operation);
    }

    void add(Event event) {
        (event.event().equals("lost") ? losses : beliefs).add(event);
    }

    Operation acquire() {
        return acquire;
    }

    Event ok() {
        return ok;
    }

    String id() {
        return Objects.requireNonNull(ok.id());
    }

    String key() {
        return ok.key();
    }

    long fence() {
        return Long.parseLong(Objects.requireNonNull(ok.fence()));
    }

    long began() {
        return acquire.began();
    }

    long grantedAt() {
        return ok.time();
    }

    long ttlNanos() {
        return ok.ttl() * MILLI;
    }

    boolean isAuto() {
        return "auto".equals(ok.how());
    }

    /**
     * Whether the request that was answered was sent a command timeout after the first one, amid faults: the first one may be
     * executed at any time, also after the release, and leaves a lock with the same id until it expires.
     */
    boolean mayComeTwice(Evidence evidence) {
        long sent = ok.until() - ttlNanos();
        return sent - began() > COMMAND_TIMEOUT && evidence.isFaulty(began(), sent);
    }

    List<Operation> releases() {
        return releases;
    }

    List<Operation> extensions() {
        return extensions;
    }

    List<Event> losses() {
        return losses;
    }

    List<Event> beliefs() {
        return beliefs;
    }

    /** When somebody first began to release it; never, if nobody did. */
    long releasedAt() {
        return releases.stream().mapToLong(Operation::began).min().orElse(Long.MAX_VALUE);
    }

    /** When its holder stopped to rely on it, as far as is certain: it relied on it at least until then. */
    long believedUntil() {
        long stop = Math.min(
                releasedAt(), losses.stream().mapToLong(Event::time).min().orElse(Long.MAX_VALUE));
        long said = beliefs.stream()
                .filter(belief -> belief.yes() && belief.time() < stop)
                .mapToLong(Event::time)
                .max()
                .orElse(grantedAt());
        return Math.max(said, Math.min(stop, believedDeadline(Long.MAX_VALUE)));
    }

    /**
     * The deadline that the holder believed in at some time, or an earlier one. A shortening counts from the moment that it was
     * asked for, until a later extension is confirmed.
     */
    long believedDeadline(long asOf) {
        List<Event> events = new ArrayList<>(List.of(ok));
        events.addAll(beliefs);
        for (Operation extension : extensions) {
            events.add(extension.invoke());
            if (extension.isOk()) {
                events.add(Objects.requireNonNull(extension.end()));
            }
        }
        events.sort(Comparator.comparingLong(Event::time));
        long deadline = ok.until();
        long cap = Long.MAX_VALUE;
        for (Event event : events) {
            if (event.time() > asOf) {
                break;
            }
            if (event.event().equals("invoke")) {
                boolean shortens = "replace".equals(event.how()) || "by-id".equals(event.how());
                cap = shortens ? Math.min(cap, event.time() + event.ttl() * (MILLI - MILLI / 1000) - MILLI) : cap;
            } else if (event.function().equals("extend") && event.yes() && event.until() != Event.NO_TIME) {
                cap = Long.MAX_VALUE;
                deadline = event.until();
            } else if (event.event().equals("belief") && event.yes()) {
                deadline = event.until();
            }
            deadline = Math.min(deadline, cap);
        }
        return deadline;
    }

    /** The latest moment at which the store may have it by these extensions; never, if that is not known. */
    long storedUntil(Predicate<Operation> counts) {
        if (isAuto()) {
            return Long.MAX_VALUE;
        }
        long latest = grantedAt() + ttlNanos();
        for (Operation extension : extensions) {
            if (!extension.isNo() && counts.test(extension)) {
                long sent = extension.isOk() ? extension.endedAt() : Long.MAX_VALUE / 2;
                latest = Math.max(latest, sent + extension.invoke().ttl() * MILLI);
            }
        }
        return latest + 2 * MILLI;
    }

    @Override
    public String toString() {
        return ok + " (asked " + acquire.began() + ")";
    }
}
