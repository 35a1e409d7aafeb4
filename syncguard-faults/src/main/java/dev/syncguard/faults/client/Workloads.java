package dev.syncguard.faults.client;

/** All workloads, with the number of threads that each client gives them. */
enum Workloads {
    W1(4),
    W2(4),
    W3(4),
    W4(1),
    W5(2),
    W6(2),
    W7(1),
    W8(3),
    W9(1),
    W10(1),
    W11(1),
    W12(1),
    W13(1),
    W14(3);

    private final int threads;

    Workloads(int threads) {
        this.threads = threads;
    }

    int threads() {
        return threads;
    }

    Workload create() {
        return switch (this) {
            case W1 -> new HotKey();
            case W2 -> new ManyKeys();
            case W3 -> new Heartbeats();
            case W4 -> new Releases();
            case W5 -> new Replays();
            case W6 -> new CancelStorm();
            case W7 -> new HostileKeys();
            case W8 -> new MixedCalls();
            case W9 -> new SmallPool();
            case W10 -> new ClosingGuards();
            case W11 -> new Errors();
            case W12 -> new IdleKeys();
            case W13 -> new LateExtends();
            case W14 -> new Shortenings();
        };
    }

    /** Whether it wants a guard with few connections. */
    boolean isSmall() {
        return this == W9;
    }
}
