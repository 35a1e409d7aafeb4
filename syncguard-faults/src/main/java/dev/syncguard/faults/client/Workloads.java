package dev.syncguard.faults.client;

import java.util.function.Supplier;

/** All workloads, with the number of threads that each client gives them. */
enum Workloads {
    W1(4, HotKey::new),
    W2(4, ManyKeys::new),
    W3(4, Heartbeats::new),
    W4(1, Releases::new),
    W5(2, Replays::new),
    W6(2, CancelStorm::new),
    W7(1, HostileKeys::new),
    W8(3, MixedCalls::new),
    W9(1, SmallPool::new),
    W10(1, ClosingGuards::new),
    W11(1, Errors::new),
    W12(1, IdleKeys::new);

    private final int threads;
    private final Supplier<Workload> workload;

    Workloads(int threads, Supplier<Workload> workload) {
        this.threads = threads;
        this.workload = workload;
    }

    int threads() {
        return threads;
    }

    Workload create() {
        return workload.get();
    }

    /** Whether it wants a guard with few connections. */
    boolean isSmall() {
        return this == W9;
    }
}
