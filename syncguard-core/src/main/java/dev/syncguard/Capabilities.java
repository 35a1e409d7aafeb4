package dev.syncguard;

/**
 * What a backend is and can do.
 *
 * @param backend its name, for example {@code redis}
 * @param supportsFencing whether grants carry fences; true for every backend of this library
 * @param timeAuthority whose clock decides when a lock expires
 * @param labels whether it can keep a label beside a lock; where its table has no place for one, it is left out
 */
public record Capabilities(String backend, boolean supportsFencing, TimeAuthority timeAuthority, boolean labels) {

    /**
     * Creates the capabilities of a backend that keeps no labels.
     *
     * @param backend its name
     * @param supportsFencing whether grants carry fences
     * @param timeAuthority whose clock decides when a lock expires
     */
    public Capabilities(String backend, boolean supportsFencing, TimeAuthority timeAuthority) {
        this(backend, supportsFencing, timeAuthority, false);
    }

    /** Whose clock decides when a lock expires. */
    public enum TimeAuthority {
        /** The store's own clock: clients need not agree on the time. */
        SERVER,
        /** The clients' clocks, which must be synchronised. */
        CLIENT
    }
}
