package dev.syncguard.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * Sorts arguments before the parser sees them: options, {@code --}, words. What follows {@code --} the parser leaves alone,
 * so neither a lock id nor an argument of the command that {@code run} starts can be taken for an option.
 */
final class Arguments {

    private static final int LOCK_ID_LENGTH = 22;

    private final CommandSpec spec;
    private final String[] args;
    private final int commandAt;
    private final List<String> options = new ArrayList<>();
    private final List<String> words = new ArrayList<>();

    private Arguments(CommandSpec spec, String[] args) {
        this.spec = spec;
        this.args = args;
        this.commandAt = spec.positionalParameters().stream()
                .map(PositionalParamSpec::index)
                .mapToInt(CommandLine.Range::min)
                .max()
                .orElse(0);
    }

    /** Returns the same arguments in an order that cannot be misunderstood. */
    static String[] sorted(CommandSpec spec, String... args) {
        return new Arguments(spec, args).sort().toArray(String[]::new);
    }

    private List<String> sort() {
        int next = 0;
        while (next < args.length) {
            String arg = args[next];
            if (arg.equals("--")) {
                takeWords(next + 1);
                break;
            }
            if (isOption(arg)) {
                next += takeOption(next);
                continue;
            }
            CommandLine subcommand = words.isEmpty() ? spec.subcommands().get(arg) : null;
            if (subcommand != null) {
                options.add(arg);
                options.addAll(List.of(sorted(subcommand.getCommandSpec(), from(next + 1))));
                return options;
            }
            if (commandAt > 0 && words.size() == commandAt) {
                takeWords(next); // this is the command: all that follows is its own
                break;
            }
            words.add(arg);
            next++;
        }
        if (!words.isEmpty()) {
            options.add("--");
        }
        options.addAll(words);
        return options;
    }

    private String[] from(int start) {
        return Arrays.copyOfRange(args, start, args.length);
    }

    private void takeWords(int start) {
        words.addAll(List.of(from(start)));
    }

    private boolean isOption(String arg) {
        return arg.startsWith("-") && arg.length() > 1 && (spec.findOption(arg) != null || !looksLikeLockId(arg));
    }

    /** Returns whether a text has the form of a lock id. */
    static boolean looksLikeLockId(String text) {
        return text.length() == LOCK_ID_LENGTH
                && text.chars().allMatch(c -> c < 128 && (Character.isLetterOrDigit(c) || c == '-' || c == '_'));
    }

    /** Takes an option, tied to its value with {@code =}: that may begin with a dash, too. Returns how many were taken. */
    private int takeOption(int at) {
        String arg = args[at];
        OptionSpec exact = spec.findOption(arg);
        if (exact != null) {
            boolean tied = exact.arity().min() > 0 && at + 1 < args.length;
            options.add(tied ? exact.longestName() + "=" + args[at + 1] : arg);
            return tied ? 2 : 1;
        }
        OptionSpec attached = attachedTo(arg);
        options.add(attached == null ? arg : attached.longestName() + "=" + arg.substring(2));
        return 1;
    }

    /** The option of {@code -bVALUE}. */
    private @Nullable OptionSpec attachedTo(String arg) {
        OptionSpec option =
                arg.startsWith("--") || arg.startsWith("=", 2) ? null : spec.findOption(arg.substring(0, 2));
        return option != null && option.arity().min() > 0 ? option : null;
    }
}
