package dev.syncguard.faults;

import dev.syncguard.faults.checker.Coverage;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What a run must have seen.
 *
 * @param operations calls that were answered
 * @param handOvers grants after an expiry
 * @param faults in all
 * @param kinds how many kinds of them
 * @param ofEachKind how many of each
 */
record Goals(long operations, long handOvers, int faults, int kinds, int ofEachKind) {

    /** The same with a share of the operations and of the hand-overs. */
    Goals share(double ofOperations, double ofHandOvers) {
        return new Goals(
                Math.round(operations * ofOperations), Math.round(handOvers * ofHandOvers), faults, kinds, ofEachKind);
    }

    List<String> missing(Coverage coverage) {
        List<String> missing = new ArrayList<>();
        need(missing, "operations", coverage.operations(), operations);
        need(missing, "hand-overs by expiry", coverage.handOvers(), handOvers);
        need(missing, "faults", coverage.faultCount(), faults);
        need(missing, "kinds of faults", coverage.faults().size(), kinds);
        coverage.faults().forEach((kind, count) -> need(missing, "faults of kind " + kind, count, ofEachKind));
        return missing;
    }

    private static void need(List<String> missing, String what, long have, long wanted) {
        if (have < wanted) {
            missing.add(String.format(Locale.ROOT, "%s: %,d of %,d", what, have, wanted));
        }
    }
}
