package dev.syncguard.sqlite;

import java.io.IOException;

/** Runs commands of the system. */
final class Commands {

    private Commands() {}

    /** Whether the command exists and exits with 0. */
    static boolean succeed(String... command) throws InterruptedException {
        try {
            return new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        }
    }
}
