package dev.syncguard.cli.run;

import java.io.Serial;

/** The shell that would end the command does not start, so the command is not started. */
final class NoWatchdogException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1;
}
