package dev.syncguard.cli.command;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.cli.text.ExitCode;
import dev.syncguard.cli.text.LockRows;
import dev.syncguard.cli.text.LockTable;
import dev.syncguard.cli.text.Output;
import dev.syncguard.cli.text.Style;
import dev.syncguard.cli.text.Terminal;
import dev.syncguard.spi.LockBackend;
import dev.syncguard.spi.StoredLock;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code syncguard ls}. */
@Command(
        name = "ls",
        sortOptions = false,
        description =
                "Lists the live locks. Without --raw it shows hashes only; explain shows the hash of a key. WHO is"
                        + " what the holder said of itself.",
        footer = {
            "",
            "Examples:",
            "  syncguard ls",
            "  syncguard ls --format json | head -1",
            "  syncguard ls --raw --backend redis://locks.example"
        })
public final class LsCommand implements Callable<Integer> {

    @Option(names = "--raw", description = "Show keys, and in JSON lock ids, too")
    private boolean raw;

    @Option(names = "--limit", paramLabel = "N", description = "Stop after that many. Default: all")
    private int limit = Integer.MAX_VALUE;

    @Mixin
    private StoreOptions store = new StoreOptions();

    @Mixin
    private Output output = new Output();

    private int shown;
    private @Nullable LockTable table;

    /** Made by picocli. */
    public LsCommand() {}

    @Override
    public Integer call() {
        if (limit < 1) {
            throw new LockException(Code.INVALID_ARGUMENT, "the limit is at least 1");
        }
        try (LockBackend backend = store.open()) {
            LockPages.each(backend, this::show);
        }
        if (shown == 0 && !output.isJson()) {
            output.note(Style.FAINT, "no locks");
        }
        return ExitCode.YES;
    }

    private boolean show(StoredLock lock) {
        if (shown >= limit) {
            return false;
        }
        shown++;
        if (output.isJson()) {
            output.line(LockRows.json(lock, raw).toString());
            return true;
        }
        if (shown == 1) {
            output.line(Style.BOLD.paint(table().heading(), output.hasColours(1)));
        }
        output.line(table().row(lock, System.currentTimeMillis()));
        return true;
    }

    private LockTable table() {
        if (table == null) {
            table = LockTable.of(raw, Terminal.is(1) ? Terminal.size()[1] : LockTable.UNLIMITED);
        }
        return table;
    }
}
