package dev.syncguard.cli.demo;

import dev.syncguard.Lease;
import dev.syncguard.LockException;
import dev.syncguard.LockOptions;
import dev.syncguard.SyncGuard;
import dev.syncguard.cli.store.Backends;
import dev.syncguard.cli.store.StoreAddress;
import dev.syncguard.cli.store.StoreSettings;
import dev.syncguard.cli.text.ExitCode;
import dev.syncguard.cli.text.StandardStreams;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** One of the processes of the demo: waits for the lock, waits for a line, writes, releases. */
@Command(name = DemoWorker.NAME, hidden = true)
public final class DemoWorker implements Callable<Integer> {

    /** Not in the list of commands. */
    public static final String NAME = "demo-worker";

    /** What the lock protects, and so the name of the lock. */
    static final String KEY = "account:7";

    static final Duration TTL = Duration.ofSeconds(2);
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @Parameters
    private String store = "";

    /** Made by picocli. */
    public DemoWorker() {}

    @Override
    public Integer call() throws IOException {
        LockOptions options = LockOptions.defaults()
                .ttl(TTL)
                .waitAtMost(PATIENCE)
                .retryDelay(Duration.ofMillis(50))
                .maxRetryDelay(Duration.ofMillis(100));
        try (SyncGuard guard =
                SyncGuard.of(Backends.open(new StoreAddress("sqlite:" + store, null, new StoreSettings())))) {
            say("waits");
            try (Lease lease = acquire(guard, options)) {
                say("granted " + lease.fence());
                if (System.in.read() >= 0) {
                    say("writes " + lease.fence());
                    if (lease.wasLost()) {
                        say("lost");
                    }
                }
            }
        }
        return ExitCode.YES;
    }

    /** On a busy machine the store may not answer in time, or so late that the lease is over. */
    private static Lease acquire(SyncGuard guard, LockOptions options) {
        long start = System.nanoTime();
        while (true) {
            try {
                return guard.acquire(KEY, options);
            } catch (LockException e) {
                if (!e.code().isTransient() || System.nanoTime() - start > PATIENCE.toNanos()) {
                    throw e;
                }
            }
        }
    }

    private static void say(String what) {
        StandardStreams.out(what + "\n");
    }
}
