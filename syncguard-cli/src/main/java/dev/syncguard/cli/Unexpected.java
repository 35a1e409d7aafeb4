package dev.syncguard.cli;

import dev.syncguard.cli.text.ExitCode;
import dev.syncguard.cli.text.Printable;
import dev.syncguard.cli.text.StandardStreams;
import java.io.UncheckedIOException;

/** Failures that no command expects: one line on standard error, and an exit code that is no answer. */
final class Unexpected {

    private static final int BROKEN_PIPE = ExitCode.SIGNAL + 13;

    private Unexpected() {}

    static int exitCode(Throwable failure) {
        if (failure instanceof UncheckedIOException io && StandardStreams.isBrokenPipe(io)) {
            return BROKEN_PIPE;
        }
        String text = failure instanceof UncheckedIOException ? failure.getMessage() : failure.toString();
        StandardStreams.err("syncguard: "
                + Printable.of(String.valueOf(text).lines().findFirst().orElse("")) + "\n");
        return ExitCode.FAILED;
    }
}
