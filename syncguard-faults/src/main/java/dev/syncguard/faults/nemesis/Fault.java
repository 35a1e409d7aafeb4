package dev.syncguard.faults.nemesis;

import java.util.List;

/**
 * A kind of fault.
 *
 * @param kind its name
 * @param excuses the invariants that it may break
 * @param body does it, and undoes it
 */
public record Fault(String kind, List<String> excuses, Body body) {

    /** What the fault does. */
    @FunctionalInterface
    public interface Body {

        /** Says {@link Strike#begin} and breaks something; what is broken is whole again when it returns. */
        void inflict(Strike strike) throws Exception;
    }

    /** A fault that excuses nothing. */
    public static Fault of(String kind, Body body) {
        return new Fault(kind, List.of(), body);
    }

    /** A fault that may break some promises. */
    public static Fault of(String kind, List<String> excuses, Body body) {
        return new Fault(kind, excuses, body);
    }
}
