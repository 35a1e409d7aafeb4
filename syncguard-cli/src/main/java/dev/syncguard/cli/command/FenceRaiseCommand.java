package dev.syncguard.cli.command;

import dev.syncguard.AbortSignal;
import dev.syncguard.Fence;
import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.LockKey;
import dev.syncguard.cli.text.ExitCode;
import dev.syncguard.cli.text.Json;
import dev.syncguard.cli.text.Output;
import dev.syncguard.cli.text.StandardStreams;
import dev.syncguard.cli.text.Terminal;
import dev.syncguard.spi.LockBackend;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code syncguard fence raise}. */
@Command(
        name = "raise",
        sortOptions = false,
        description = {
            "Raises the fence counter of a key, after the store lost data.",
            "Find the highest fence that what the lock protects has seen, and raise the counter to it: the next grant is"
                    + " then higher. It is never lowered."
        },
        footer = {
            "",
            "Examples:",
            "  syncguard fence raise invoice:42 --to 1234",
            "  syncguard fence raise invoice:42 --to 000000000001234 --yes --format json"
        })
public final class FenceRaiseCommand implements Callable<Integer> {

    @Parameters(paramLabel = "KEY", description = "The key")
    private String key = "";

    @Option(names = "--to", paramLabel = "FENCE", required = true, description = "The highest fence that was ever seen")
    private String to = "";

    @Option(
            names = {"-y", "--yes"},
            description = "Do not ask")
    private boolean yes;

    @Mixin
    private StoreOptions store = new StoreOptions();

    @Mixin
    private Output output = new Output();

    /** Made by picocli. */
    public FenceRaiseCommand() {}

    @Override
    public Integer call() throws IOException {
        LockKey parsed = KeyParameter.key(key);
        Fence fence = fence();
        if (!yes && !isConfirmed(parsed, fence)) {
            output.answer("nothing was changed", new Json().put("ok", false));
            return ExitCode.NO;
        }
        try (LockBackend backend = store.open()) {
            Fence now = backend.raiseFence(parsed, fence, AbortSignal.none());
            output.answer(
                    "the counter stands at " + now, new Json().put("ok", true).put("fence", now.toString()));
            return ExitCode.YES;
        }
    }

    private Fence fence() {
        if (to.isEmpty() || to.length() > 15 || !to.chars().allMatch(c -> c >= '0' && c <= '9')) {
            throw new LockException(Code.INVALID_ARGUMENT, "a fence is a number of up to 15 digits");
        }
        Fence fence = new Fence(Long.parseLong(to));
        if (fence.isNewerThan(Fence.MAX)) {
            throw new LockException(Code.INVALID_ARGUMENT, "the highest fence is " + Fence.MAX);
        }
        return fence;
    }

    private static boolean isConfirmed(LockKey key, Fence fence) throws IOException {
        if (!Terminal.is(0)) {
            throw new LockException(Code.INVALID_ARGUMENT, "there is no terminal to ask for confirmation; add --yes");
        }
        StandardStreams.err("Raise the fence counter of key " + key.hash() + " to " + fence + " for good? [y/N] ");
        int answer = System.in.read();
        return answer == 'y' || answer == 'Y';
    }
}
