package dev.syncguard;

/**
 * What a backend is and can do.
 *
 * @param backend its name, for example {@code redis}
 * @param supportsFencing whether grants carry fences; true for every backend of this library
 * @param timeAuthority whose clock decides when a lock ends
 */
public record Capabilities(String backend, boolean supportsFencing, TimeAuthority timeAuthority) {

    /** Whose clock decides when a lock ends. */
    public enum TimeAuthority {
        /** The store's own clock: clients need not agree on the time. */
        SERVER,
        /** The clients' clocks, which must be synchronised. */
        CLIENT
    }
}
