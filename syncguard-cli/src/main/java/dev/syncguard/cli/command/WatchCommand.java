package dev.syncguard.cli.command;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.cli.run.Signals;
import dev.syncguard.cli.text.Durations;
import dev.syncguard.cli.text.ExitCode;
import dev.syncguard.cli.text.Json;
import dev.syncguard.cli.text.LockRows;
import dev.syncguard.cli.text.Output;
import dev.syncguard.cli.text.Screen;
import dev.syncguard.cli.text.Terminal;
import dev.syncguard.spi.LockBackend;
import dev.syncguard.spi.StoredLock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code syncguard watch}. */
@Command(
        name = "watch",
        sortOptions = false,
        description = "Shows the live locks, the one that ends next on top, again and again until Ctrl-C.",
        footer = {
            "",
            "Examples:",
            "  syncguard watch",
            "  syncguard watch --interval 5s --backend redis://locks.example",
            "  syncguard watch --format json --count 10"
        })
public final class WatchCommand implements Callable<Integer> {

    @Option(
            names = "--interval",
            paramLabel = "TIME",
            converter = Durations.class,
            description = "Time between two looks. Default: 1s")
    private Duration interval = Duration.ofSeconds(1);

    @Option(names = "--count", paramLabel = "N", description = "Look that often. Default: until Ctrl-C")
    private int count = Integer.MAX_VALUE;

    @Option(names = "--raw", description = "Show keys, and in JSON lock ids, too")
    private boolean raw;

    @Mixin
    private StoreOptions store = new StoreOptions();

    @Mixin
    private Output output = new Output();

    /** Made by picocli. */
    public WatchCommand() {}

    @Override
    public Integer call() throws InterruptedException {
        if (!output.isJson() && !Terminal.is(1)) {
            throw new LockException(Code.INVALID_ARGUMENT, "watch needs a terminal; use ls, or --format json");
        }
        if (interval.toMillis() < 50) {
            throw new LockException(Code.INVALID_ARGUMENT, "the interval is at least 50ms");
        }
        if (count < 1) {
            throw new LockException(Code.INVALID_ARGUMENT, "the count is at least 1");
        }
        Signals signals = Signals.install();
        try (LockBackend backend = store.open();
                Screen screen = Screen.open(!output.isJson(), output.hasColours(1))) {
            for (int look = 0; look < count; look++) {
                if (look > 0 && signals.events().poll(interval.toMillis(), TimeUnit.MILLISECONDS) != null) {
                    break;
                }
                show(backend, screen);
            }
        }
        return signals.first() == 0 ? ExitCode.YES : ExitCode.SIGNAL + signals.first();
    }

    private void show(LockBackend backend, Screen screen) {
        List<StoredLock> locks = new ArrayList<>();
        LockPages.each(backend, locks::add);
        locks.sort(Comparator.comparingLong(StoredLock::expiresAtMs));
        if (output.isJson()) {
            List<Json> rows = new ArrayList<>();
            locks.forEach(lock -> rows.add(LockRows.json(lock, raw)));
            output.line(new Json()
                    .put("atMs", System.currentTimeMillis())
                    .put("locks", rows)
                    .toString());
        } else {
            screen.draw(locks, raw, System.currentTimeMillis());
        }
    }
}
