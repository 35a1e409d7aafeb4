package dev.syncguard.cli.command;

import dev.syncguard.AbortSignal;
import dev.syncguard.KeyHash;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.cli.text.Durations;
import dev.syncguard.cli.text.ExitCode;
import dev.syncguard.cli.text.Json;
import dev.syncguard.cli.text.LockRows;
import dev.syncguard.cli.text.Output;
import dev.syncguard.cli.text.Printable;
import dev.syncguard.spi.LockBackend;
import dev.syncguard.spi.StoredLock;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code syncguard lookup}. */
@Command(
        name = "lookup",
        sortOptions = false,
        description =
                "Shows the live lock of a key or of a lock id. Without --raw it shows hashes only, and who holds it if the"
                        + " holder said so.",
        footer = {
            "",
            "Exit codes: 0 found, 1 there is none.",
            "",
            "Examples:",
            "  syncguard lookup nightly-report",
            "  echo \"$$id\" | syncguard lookup --id - --format json",
            "  syncguard lookup nightly-report --raw"
        })
public final class LookupCommand implements Callable<Integer> {

    @Parameters(paramLabel = "KEY", arity = "0..1", description = "The key")
    private @Nullable String key;

    @Option(names = "--id", paramLabel = "LOCK_ID", description = "Look for a lock id; - reads it from standard input")
    private @Nullable String lockId;

    @Option(names = "--raw", description = "Show the key and the lock id, which is the right to release the lock")
    private boolean raw;

    @Mixin
    private StoreOptions store = new StoreOptions();

    @Mixin
    private Output output = new Output();

    /** Made by picocli. */
    public LookupCommand() {}

    @Override
    public Integer call() {
        Optional<StoredLock> found = find();
        output.answer(
                found.map(this::text).orElse("not found"),
                found.map(lock -> LockRows.json(lock, raw)).orElseGet(() -> new Json().put("found", false)));
        return ExitCode.of(found.isPresent());
    }

    private Optional<StoredLock> find() {
        if ((key == null) == (lockId == null)) {
            throw new LockException(Code.INVALID_ARGUMENT, "give a KEY or --id LOCK_ID");
        }
        if (key != null) {
            var parsed = KeyParameter.key(key);
            try (LockBackend backend = store.open()) {
                return backend.findByKey(parsed, AbortSignal.none());
            }
        }
        var parsed = KeyParameter.lockId(String.valueOf(lockId));
        try (LockBackend backend = store.open()) {
            return backend.findById(parsed, AbortSignal.none());
        }
    }

    private String text(StoredLock lock) {
        long now = System.currentTimeMillis();
        String identity = raw
                ? "key           " + Printable.of(lock.key()) + "\nlock id       "
                        + lock.lockId().value() + "\n"
                : "";
        return identity
                + "key hash      " + KeyHash.canonical().hash(lock.key())
                + "\nlock id hash  " + KeyHash.canonical().hash(lock.lockId().value())
                + "\nfence         " + lock.fence()
                + "\nage           " + Durations.text(Math.max(0, now - lock.acquiredAtMs()))
                + "\ntime left     " + Durations.text(Math.max(0, lock.expiresAtMs() - now))
                + (lock.label() == null ? "" : "\nheld by       " + Printable.of(lock.label()));
    }
}
