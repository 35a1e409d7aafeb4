package dev.syncguard.cli.command;

import dev.syncguard.cli.text.Output;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code syncguard fence}. */
@Command(
        name = "fence",
        synopsisSubcommandLabel = "raise",
        description = "Repairs fence counters.",
        subcommands = FenceRaiseCommand.class,
        footer = {"", "Examples:", "  syncguard fence raise invoice:42 --to 1234"})
public final class FenceCommand {

    @Mixin
    @SuppressWarnings("unused") // picocli acts on it
    private Output output = new Output();

    /** Made by picocli. */
    public FenceCommand() {}
}
