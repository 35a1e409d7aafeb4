package dev.syncguard.faults.checker;

import java.util.List;

/** One promise, judged from histories alone. */
interface Invariant {

    /** Its number. */
    String id();

    /** What is promised. */
    String promise();

    /** Looks for violations. */
    List<Violation> check(Evidence evidence);
}
