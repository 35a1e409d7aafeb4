package dev.syncguard.faults;

import dev.syncguard.faults.checker.Coverage;
import dev.syncguard.faults.checker.Judgement;
import java.io.PrintStream;

/** One line that changes every second; without a terminal, of which the launcher tells, a line every ten seconds. */
final class Progress {

    private static final long SECOND = 1_000_000_000;

    private final PrintStream out;
    private final boolean isTerminal = Boolean.getBoolean("syncguard.terminal");
    private long operations;
    private long grants;
    private long faults;
    private long handOvers;
    private long violations;
    private long shownAt = Long.MIN_VALUE / 2;

    Progress(PrintStream out) {
        this.out = out;
    }

    synchronized void show(long roundOperations, long roundGrants, long roundFaults, long secondsLeft) {
        long now = System.nanoTime();
        if (now - shownAt < (isTerminal ? SECOND : 10 * SECOND)) {
            return;
        }
        shownAt = now;
        String line = String.format(
                "%,d operations  %,d grants  %,d hand-overs by expiry  %,d faults  %d violations  %d s left in this round",
                operations + roundOperations,
                grants + roundGrants,
                handOvers,
                faults + roundFaults,
                violations,
                Math.max(0, secondsLeft));
        out.print(isTerminal ? "\r\033[K" + line : line + "\n");
        out.flush();
    }

    synchronized void add(long roundOperations, long roundGrants, long roundFaults) {
        operations += roundOperations;
        grants += roundGrants;
        faults += roundFaults;
    }

    synchronized void judged(Judgement judgement) {
        handOvers += judgement.coverage().handOvers();
        violations += judgement.violations().size();
    }

    synchronized void say(String line) {
        out.println((isTerminal ? "\r\033[K" : "") + line);
    }

    synchronized void tell(Coverage coverage) {
        say(String.format(
                "%,d operations, %,d grants, %,d hand-overs by expiry, %,d stale accesses refused, %,d unknown outcomes,"
                        + " %d faults of %d kinds",
                coverage.operations(),
                coverage.grants(),
                coverage.handOvers(),
                coverage.refused(),
                coverage.unknown(),
                coverage.faultCount(),
                coverage.faults().size()));
    }
}
