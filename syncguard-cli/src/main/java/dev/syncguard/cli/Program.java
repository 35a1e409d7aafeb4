package dev.syncguard.cli;

import dev.syncguard.LockException;
import dev.syncguard.cli.command.ConfigFile;
import dev.syncguard.cli.text.ExitCode;
import dev.syncguard.cli.text.StandardStreams;
import dev.syncguard.cli.text.Terminal;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.OptionSpec;

/** Runs one command. */
final class Program {

    private Program() {}

    static int run(String... args) {
        try {
            ArgumentBytes.check(args);
        } catch (LockException e) {
            return Failures.unreadable(e, args);
        }
        if (args.length == 0) {
            StandardStreams.err(configured(Commands.all(), args).getUsageMessage());
            return ExitCode.USAGE;
        }
        return Commands.execute(args, line -> configured(line, args));
    }

    /** No argument names a file of further arguments, and {@code -hx} is not {@code -h}: keys and ids may look like both. */
    private static CommandLine configured(CommandLine line, String... given) {
        return line.setExpandAtFiles(false)
                .setPosixClusteredShortOptionsAllowed(false)
                .setAllowOptionsAsOptionParameters(true)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setDefaultValueProvider(
                        arg -> arg instanceof OptionSpec option ? ConfigFile.defaultFor(option.longestName()) : null)
                .setExecutionExceptionHandler((failure, command, parsed) -> Failures.thrown(failure, command))
                .setParameterExceptionHandler((failure, args) -> Failures.misused(failure, args, given))
                .setColorScheme(CommandLine.Help.defaultColorScheme(ansi()));
    }

    private static Ansi ansi() {
        return Terminal.is(1) && Terminal.wantsColours() ? Ansi.ON : Ansi.OFF;
    }
}
