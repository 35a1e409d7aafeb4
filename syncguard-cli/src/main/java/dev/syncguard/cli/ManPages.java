package dev.syncguard.cli;

import dev.syncguard.cli.command.CompletionCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** Run once by the packaging: writes manual pages and completions from the help texts. */
final class ManPages {

    private final StringBuilder page = new StringBuilder();

    private ManPages() {}

    /**
     * Writes {@code man}, {@code bash-completion} and {@code zsh}.
     *
     * @param args the directory
     * @throws IOException if that fails
     */
    public static void main(String[] args) throws IOException {
        Path share = Path.of(args[0]);
        CommandLine root = Commands.all();
        Path man = Files.createDirectories(share.resolve("man/man1"));
        write(man, root);
        for (CommandLine command : root.getSubcommands().values()) {
            write(man, command);
            for (CommandLine nested : command.getSubcommands().values()) {
                write(man, nested);
            }
        }
        Files.writeString(
                Files.createDirectories(share.resolve("bash-completion/completions"))
                        .resolve("syncguard"),
                CompletionCommand.script("bash", root));
        Files.writeString(
                Files.createDirectories(share.resolve("zsh/site-functions")).resolve("_syncguard"),
                "#compdef syncguard\n" + CompletionCommand.script("zsh", root)
                        + "\n_bash_complete -o default -F _complete_syncguard\n");
    }

    private static void write(Path directory, CommandLine command) throws IOException {
        String name = command.getCommandSpec().qualifiedName("-");
        Files.writeString(directory.resolve(name + ".1"), new ManPages().of(command.getCommandSpec(), name));
    }

    private String of(CommandSpec spec, String name) {
        List<String> description = List.of(spec.usageMessage().description());
        line(".TH \"" + name.toUpperCase(Locale.ROOT) + "\" 1 \"\" \"SyncGuard\" \"SyncGuard\"");
        line(".SH NAME");
        line(text(name + " - " + (description.isEmpty() ? "" : description.get(0))));
        line(".SH SYNOPSIS");
        line(text(new CommandLine.Help(spec, CommandLine.Help.defaultColorScheme(Ansi.OFF))
                .synopsis(0)
                .strip()));
        line(".SH DESCRIPTION");
        description.forEach(this::paragraph);
        subcommands(spec);
        options(spec);
        line(".SH EXIT CODES AND EXAMPLES");
        line(".nf");
        for (String footer : spec.usageMessage().footer()) {
            line(text(String.format(footer)));
        }
        line(".fi");
        line(".SH SEE ALSO");
        line(name.equals("syncguard") ? "syncguard\\-run(1), syncguard\\-doctor(1)" : "syncguard(1)");
        return page.toString();
    }

    private void subcommands(CommandSpec spec) {
        if (!spec.subcommands().isEmpty()) {
            line(".SH COMMANDS");
        }
        spec.subcommands().forEach((name, command) -> {
            String[] description = command.getCommandSpec().usageMessage().description();
            entry(name, description.length == 0 ? List.of() : List.of(description[0]));
        });
    }

    private void options(CommandSpec spec) {
        line(".SH OPTIONS");
        for (PositionalParamSpec word : spec.positionalParameters()) {
            entry(word.paramLabel(), List.of(word.description()));
        }
        for (OptionSpec option : spec.options()) {
            String value = option.arity().max() > 0 ? " " + option.paramLabel() : "";
            entry(String.join(", ", option.names()) + value, List.of(option.description()));
        }
    }

    private void entry(String name, List<String> texts) {
        line(".TP");
        line("\\fB" + text(name) + "\\fR");
        texts.forEach(description -> line(text(description.replace("$$", "$").replace("%%", "%"))));
    }

    private void paragraph(String description) {
        line(".PP");
        line(text(description.replace("$$", "$").replace("%%", "%")));
    }

    private void line(String line) {
        page.append(line).append('\n');
    }

    /** What troff would take for a command of its own. */
    private static String text(String plain) {
        List<String> lines = new ArrayList<>();
        for (String line : plain.replace("$$", "$")
                .replace("\\", "\\e")
                .replace("-", "\\-")
                .split("\n", -1)) {
            String safe = line.startsWith(".") || line.startsWith("'") ? "\\&" + line : line;
            StringBuilder ascii = new StringBuilder();
            safe.codePoints().forEach(c -> ascii.append(c < 128 ? Character.toString(c) : "\\[u%04X]".formatted(c)));
            lines.add(ascii.toString());
        }
        return String.join("\n", lines);
    }
}
