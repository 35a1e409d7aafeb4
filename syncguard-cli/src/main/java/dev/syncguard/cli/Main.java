package dev.syncguard.cli;

import dev.syncguard.cli.text.ExitCode;
import dev.syncguard.cli.text.StandardStreams;
import dev.syncguard.cli.text.Terminal;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/** Where the command starts. */
public final class Main {

    private Main() {}

    /**
     * Runs a command and exits with its code.
     *
     * @param args the command and its arguments
     */
    public static void main(String[] args) {
        System.exit(run(args));
    }

    static int run(String... args) {
        CommandLine line = Commands.line(args);
        line.setCaseInsensitiveEnumValuesAllowed(true)
                .setExecutionExceptionHandler((failure, command, parsed) -> Failures.thrown(failure, command))
                .setParameterExceptionHandler(Failures::misused)
                .setColorScheme(CommandLine.Help.defaultColorScheme(ansi()));
        if (args.length == 0) {
            StandardStreams.err(line.getUsageMessage());
            return ExitCode.USAGE;
        }
        return line.execute(args);
    }

    private static Ansi ansi() {
        return Terminal.is(1) && Terminal.wantsColours() ? Ansi.ON : Ansi.OFF;
    }
}
