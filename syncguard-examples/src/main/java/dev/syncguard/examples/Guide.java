package dev.syncguard.examples;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;

import dev.syncguard.AbortSignal;
import dev.syncguard.AcquisitionTimeoutException;
import dev.syncguard.Fence;
import dev.syncguard.Lease;
import dev.syncguard.LeaseLostException;
import dev.syncguard.LockException;
import dev.syncguard.LockOptions;
import dev.syncguard.SyncGuard;
import dev.syncguard.spi.LockBackend;
import dev.syncguard.telemetry.TelemetryLockBackend;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** The code of docs/guide. */
final class Guide {

    private Guide() {}

    static String fences(SyncGuard guard, FencedAccount account) {
        return guard.call("account:7", lease -> {
            boolean accepted = account.deposit(100, lease.fence());
            return accepted ? "accepted" : "refused: a newer fence was here before";
        });
    }

    static void longWork(SyncGuard guard, List<Runnable> steps, Consumer<LeaseLostException> alarm) {
        LockOptions options = guard.options().ttl(ofSeconds(30)).autoExtend().onLost(alarm);

        guard.run("report:2026", options, lease -> {
            for (Runnable step : steps) {
                lease.ensureValid();
                step.run();
            }
        });
    }

    static String lostWork(SyncGuard guard, Runnable work) {
        try {
            return guard.call("invoice:42", lease -> {
                work.run();
                return "charged";
            });
        } catch (LeaseLostException lost) {
            return "too late, the work had ended with: " + lost.result().orElseThrow();
        }
    }

    static String errors(SyncGuard guard) {
        try (Lease lease = guard.acquire("invoice:42")) {
            return "got it with fence " + lease.fence();
        } catch (AcquisitionTimeoutException busy) {
            return "busy, asked " + busy.attempts() + " times in "
                    + busy.elapsed().toMillis() + " ms";
        } catch (LockException broken) {
            return broken.code() + (broken.outcomeUnknown() ? ", may have happened" : ", nothing happened");
        }
    }

    static Fence waiting(SyncGuard guard, AbortSignal signal) {
        LockOptions options = LockOptions.defaults()
                .waitAtMost(ofMinutes(1)) // until then, however many polls that takes
                .retryDelay(ofMillis(50)) // first poll, then 100, 200 … up to 2 s, half of it random
                .retryStoreErrors(); // wait through short outages of the store, too

        try (Lease lease = guard.acquire("invoice:42", options, signal)) {
            return lease.fence();
        }
    }

    static SyncGuard labelled(LockBackend backend) {
        return SyncGuard.builder(backend).label("web-3:4711").build();
    }

    static void cron(SyncGuard guard, Consumer<Fence> report) {
        LockOptions hourly = LockOptions.defaults().autoExtend().holdAtLeast(ofMinutes(54));

        if (guard.tryAcquire("hourly-report", hourly) instanceof Lease lease) {
            try (lease) {
                report.accept(lease.fence());
            }
        }
    }

    static CompletionStage<String> asynchronous(SyncGuard guard, Fetcher fetcher) {
        return guard.async().call("invoice:42", lease -> fetcher.fetch(lease.fence()));
    }

    /** Something that takes its time. */
    interface Fetcher {
        CompletionStage<String> fetch(Fence fence);
    }

    static SyncGuard telemetry(LockBackend backend, List<String> lines) {
        return SyncGuard.of(TelemetryLockBackend.of(backend, event -> lines.add(event.toString())));
    }
}
