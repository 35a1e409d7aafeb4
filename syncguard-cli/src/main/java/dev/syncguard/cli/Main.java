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
        if (args.length == 0) {
            StandardStreams.err(Commands.all().getUsageMessage());
            return ExitCode.USAGE;
        }
        return Commands.execute(args, Main::configured);
    }

    private static CommandLine configured(CommandLine line) {
        return line.setCaseInsensitiveEnumValuesAllowed(true)
                .setExecutionExceptionHandler((failure, command, parsed) -> Failures.thrown(failure, command))
                .setParameterExceptionHandler(Failures::misused)
                .setColorScheme(CommandLine.Help.defaultColorScheme(ansi()));
    }

    private static Ansi ansi() {
        return Terminal.is(1) && Terminal.wantsColours() ? Ansi.ON : Ansi.OFF;
    }
}
