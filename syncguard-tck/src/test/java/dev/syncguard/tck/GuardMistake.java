package dev.syncguard.tck;

/** A mistake that a guard may have, and the rules that must find it. */
enum GuardMistake {
    NONE(""),
    ACCEPTS_ANYTHING("GRD-1 GRD-3 GRD-5 GRD-7"),
    REFUSES_EQUAL("GRD-2"),
    COMPARES_TEXT("GRD-1 GRD-3"),
    CHECKS_THEN_ACTS("GRD-3"),
    ADVANCES_FIRST("GRD-4"),
    FOLDS_CASE("GRD-5"),
    TAKES_ANY_FENCE("GRD-6"),
    TELLS_THE_RESOURCE("GRD-7");

    final String rules;

    GuardMistake(String rules) {
        this.rules = rules;
    }
}
