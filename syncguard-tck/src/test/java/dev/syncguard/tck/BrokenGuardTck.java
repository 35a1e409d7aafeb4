package dev.syncguard.tck;

/** The contract of guards on a {@link BrokenGuard}. Run by {@link FenceGuardTckSelfTest} only. */
class BrokenGuardTck extends FenceGuardTck {

    /** What the next instance runs on. */
    static volatile GuardMistake subject = GuardMistake.NONE;

    private final BrokenGuard broken = new BrokenGuard(subject);

    @Override
    protected FencedStore store() {
        return broken;
    }
}
