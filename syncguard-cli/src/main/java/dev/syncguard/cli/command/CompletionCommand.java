package dev.syncguard.cli.command;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.cli.text.ExitCode;
import dev.syncguard.cli.text.Json;
import dev.syncguard.cli.text.Output;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code syncguard completion}. */
@Command(
        name = "completion",
        sortOptions = false,
        description = "Prints a script that lets a shell complete commands and options.",
        footer = {"", "Examples:", "  source <(syncguard completion bash)", "  source <(syncguard completion zsh)"})
public final class CompletionCommand implements Callable<Integer> {

    private final Supplier<CommandLine> commands;

    @Parameters(paramLabel = "bash|zsh", description = "The shell")
    private String shell = "";

    @Mixin
    private Output output = new Output();

    /** The parser's completion knows options only; zsh completes files there by itself. */
    private static final String COMMAND_OF_RUN = """

            # What follows -- is a command: its name, then files.
            function _syncguard_arguments() {
              local i
              for ((i = 1; i < COMP_CWORD; i++)); do
                if [ "${COMP_WORDS[i]}" = "--" ]; then
                  COMPREPLY=()
                  [ "$((i + 1))" -lt "$COMP_CWORD" ] || COMPREPLY=($(compgen -c -- "${COMP_WORDS[COMP_CWORD]}"))
                  return 0
                fi
              done
              _complete_syncguard "$@"
            }
            complete -F _syncguard_arguments -o default syncguard
            """;

    /**
     * Makes the command.
     *
     * @param commands what can be completed
     */
    public CompletionCommand(Supplier<CommandLine> commands) {
        this.commands = commands;
    }

    @Override
    public Integer call() {
        if (!shell.equals("bash") && !shell.equals("zsh")) {
            throw new LockException(Code.INVALID_ARGUMENT, "completion is for bash or zsh");
        }
        String script = script(shell, commands.get());
        output.answer(script, new Json().put("ok", true).put("script", script));
        return ExitCode.YES;
    }

    /**
     * Returns the script of a shell. Zsh gets bash's, which switches it to bash's way of completing, and what that lacks.
     *
     * @param shell bash or zsh
     * @param commands what can be completed
     * @return the script
     */
    public static String script(String shell, CommandLine commands) {
        String script = AutoComplete.bash("syncguard", commands);
        return shell.equals("zsh")
                ? "(( $+functions[compopt] )) || function compopt { : }\n" + script
                : script + COMMAND_OF_RUN;
    }
}
