package dev.syncguard.faults.store;

import dev.syncguard.FenceMode;
import dev.syncguard.faults.nemesis.Fault;
import java.time.Duration;
import java.util.List;

/** A store that clients use, and that can be broken. */
public interface TestStore extends AutoCloseable {

    /** The URL that a client connects to, through its own network if there is one; any number for one past the faults. */
    String url(int client);

    /** The faults that this store can have in this mode. Those that lose data only where fences are floored by time. */
    List<Fault> faults(FenceMode mode);

    /** How long one operation may take here. */
    default Duration commandTimeout() {
        return Duration.ofMillis(800);
    }

    /** Faults that no run has, because they break promises that nothing excuses: the checker must find that. */
    default List<Fault> seededFaults() {
        return List.of();
    }

    /** Makes everything work again. */
    void heal();

    /** Looks into the store, past the library. */
    Leftovers leftovers();

    @Override
    void close();
}
