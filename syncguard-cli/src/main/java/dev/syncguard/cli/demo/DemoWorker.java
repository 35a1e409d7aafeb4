package dev.syncguard.cli.demo;

import dev.syncguard.Lease;
import dev.syncguard.LockOptions;
import dev.syncguard.SyncGuard;
import dev.syncguard.cli.store.Backends;
import dev.syncguard.cli.store.StoreAddress;
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

    static final Duration TTL = Duration.ofMillis(800);
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
        try (SyncGuard guard = SyncGuard.of(Backends.open(new StoreAddress("sqlite:" + store, null, null)))) {
            say("waits");
            try (Lease lease = guard.acquire("account:7", options)) {
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

    private static void say(String what) {
        StandardStreams.out(what + "\n");
    }
}
