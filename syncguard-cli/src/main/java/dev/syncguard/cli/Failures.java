package dev.syncguard.cli;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.cli.command.CommandLineText;
import dev.syncguard.cli.text.ExitCode;
import dev.syncguard.cli.text.Json;
import dev.syncguard.cli.text.Output;
import dev.syncguard.cli.text.Printable;
import dev.syncguard.cli.text.StandardStreams;
import dev.syncguard.cli.text.Style;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** From an exception to one line on standard error and an exit code. */
final class Failures {

    private static final int LONGEST_LINE = 2000;

    private Failures() {}

    /** An argument that did not arrive as it was given. */
    static int unreadable(LockException failure) {
        StandardStreams.err("syncguard: " + message(failure) + "\n");
        return ExitCode.USAGE;
    }

    /** What a command threw. */
    static int thrown(Exception failure, CommandLine line) {
        if (failure instanceof UncheckedIOException) {
            return Unexpected.exitCode(failure); // also a document about it could not be written
        }
        Output output = output(line.getCommandSpec());
        if (output.isDebug()) {
            StandardStreams.err(stackTrace(failure));
        }
        Code code = failure instanceof LockException e ? e.code() : Code.INTERNAL;
        String message = message(failure);
        if (output.isJson()) {
            output.line(new Json()
                    .put("ok", false)
                    .put("error", code.specName())
                    .put("message", message)
                    .toString());
        }
        output.note(Style.BAD, message);
        return code == Code.INVALID_ARGUMENT ? ExitCode.USAGE : ExitCode.FAILED;
    }

    /** A driver's message may have several lines; the first says what happened. */
    private static String message(Throwable failure) {
        boolean isPlain = failure instanceof LockException || failure instanceof UncheckedIOException;
        String text = isPlain ? String.valueOf(failure.getMessage()) : failure.toString();
        return firstLine(CommandLineText.of(text));
    }

    /** It may repeat an argument, and that may hold anything. */
    private static String firstLine(String text) {
        return Printable.of(text.lines().findFirst().orElse(""));
    }

    private static String stackTrace(Exception failure) {
        StringWriter text = new StringWriter();
        failure.printStackTrace(new PrintWriter(text));
        String trace = text.toString().lines().map(Failures::traceLine).collect(Collectors.joining());
        return trace.strip() + "\n";
    }

    /** A server may have said anything, at any length: only the lines of exceptions stand at the margin. */
    private static String traceLine(String line) {
        String plain = line.stripLeading();
        boolean isException = line.matches("(Caused by: |dev\\.syncguard\\.).*");
        String shown = plain.length() > LONGEST_LINE ? plain.substring(0, LONGEST_LINE) + "…" : plain;
        return (isException ? "" : "\t") + Printable.of(shown) + "\n";
    }

    private static Output output(CommandSpec spec) {
        CommandSpec mixin = spec.mixins().get(Output.NAME);
        return mixin == null ? new Output() : (Output) mixin.userObject();
    }

    /** What picocli did not understand. */
    static int misused(ParameterException failure, String[] args) {
        // What went wrong beside the arguments, such as a config file. Picocli's own message repeats all of them.
        if (failure.getCause() instanceof Exception cause && failure.getArgSpec() == null) {
            return thrown(cause, failure.getCommandLine());
        }
        CommandSpec spec = failure.getCommandLine().getCommandSpec();
        String help = "; see " + spec.qualifiedName(" ") + " --help";
        StandardStreams.err(Style.BAD.paint("syncguard: ", output(spec).hasColours(2)) + reason(failure) + help + "\n");
        return ExitCode.USAGE;
    }

    /** Does not repeat a word that is too much: it may be a lock id. */
    private static String reason(ParameterException failure) {
        if (failure instanceof UnmatchedArgumentException unmatched) {
            String first = unmatched.getUnmatched().get(0);
            int value = first.indexOf('=');
            return first.startsWith("-") && !Arguments.looksLikeLockId(first)
                    ? "unknown option " + Printable.of(value < 0 ? first : first.substring(0, value))
                    : unmatched.getCommandLine().getSubcommands().isEmpty() ? "too many arguments" : "unknown command";
        }
        return firstLine(String.valueOf(failure.getMessage()));
    }
}
