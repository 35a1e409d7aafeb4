package dev.syncguard.cli;

import dev.syncguard.cli.text.ExitCode;

/** Where the command starts. Needs no class of another jar, so that it can say which one is missing. */
public final class Main {

    private Main() {}

    /**
     * Runs a command and exits with its code.
     *
     * @param args the command and its arguments
     */
    public static void main(String[] args) {
        int code = ExitCode.FAILED;
        try {
            code = Program.run(args);
        } catch (Throwable e) {
            code = Unexpected.exitCode(e); // an Error, such as a class that cannot be found
        } finally {
            System.exit(code);
        }
    }
}
