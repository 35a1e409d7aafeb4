package dev.syncguard.faults.checker;

import dev.syncguard.faults.history.Event;

/** A span of time: of a fault, or of a gap in the life of a process. */
record Window(long from, long to, Event begin) {

    boolean touches(long start, long end) {
        return from <= end && start <= to;
    }
}
