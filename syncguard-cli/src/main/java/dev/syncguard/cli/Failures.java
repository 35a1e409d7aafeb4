package dev.syncguard.cli;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.cli.command.CommandLineText;
import dev.syncguard.cli.command.RunCommand;
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
    static int unreadable(LockException failure, String... args) {
        boolean isRun = args.length > 0 && args[0].equals("run");
        if (wantsJson(args)) {
            document(failure.code(), message(failure), isRun);
        }
        StandardStreams.err("syncguard: " + message(failure) + "\n");
        return ExitCode.USAGE;
    }

    /** For when the arguments could not be parsed. What follows {@code --} is a command's own. */
    private static boolean wantsJson(String... args) {
        String previous = "";
        for (String arg : args) {
            if (arg.equals("--")) {
                return false;
            }
            String word = previous.equals("--format") ? "--format=" + arg : arg;
            if (word.equalsIgnoreCase("--format=json")) {
                return true;
            }
            previous = arg;
        }
        return false;
    }

    /** Standard output belongs to the command that {@code run} starts. */
    private static void document(Code code, String message, boolean isRun) {
        String line = new Json().put("ok", false).put("error", code.specName()).put("message", message) + "\n";
        if (isRun) {
            StandardStreams.err(line);
        } else {
            StandardStreams.out(line);
        }
    }

    private static boolean isRun(CommandLine line) {
        return line.getCommand() instanceof RunCommand;
    }

    /** What a command threw. */
    static int thrown(Exception failure, CommandLine line) {
        return thrown(failure, line, output(line.getCommandSpec()).isJson());
    }

    private static int thrown(Exception failure, CommandLine line, boolean isJson) {
        if (failure instanceof UncheckedIOException) {
            return Unexpected.exitCode(failure); // also a document about it could not be written
        }
        Output output = output(line.getCommandSpec());
        if (output.isDebug()) {
            StandardStreams.err(stackTrace(failure));
        }
        Code code = failure instanceof LockException e ? e.code() : Code.INTERNAL;
        String message = message(failure);
        if (isJson) {
            document(code, message, isRun(line));
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

    /** What picocli did not understand. Where a command is missing, no order could be brought into the arguments. */
    static int misused(ParameterException failure, String[] sorted, String[] given) {
        String[] args = failure.getCommandLine().getSubcommands().isEmpty() ? sorted : given;
        // What went wrong beside the arguments, such as a config file. Picocli's own message repeats all of them.
        if (failure.getCause() instanceof Exception cause && failure.getArgSpec() == null) {
            return thrown(cause, failure.getCommandLine(), wantsJson(args));
        }
        CommandLine line = failure.getCommandLine();
        CommandSpec spec = line.getCommandSpec();
        if (wantsJson(args)) {
            document(Code.INVALID_ARGUMENT, reason(failure), isRun(line));
        }
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
