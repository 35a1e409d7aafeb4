package dev.syncguard.cli;

import dev.syncguard.cli.command.AcquireCommand;
import dev.syncguard.cli.command.CompletionCommand;
import dev.syncguard.cli.command.DoctorCommand;
import dev.syncguard.cli.command.ExplainCommand;
import dev.syncguard.cli.command.ExtendCommand;
import dev.syncguard.cli.command.FenceCommand;
import dev.syncguard.cli.command.LookupCommand;
import dev.syncguard.cli.command.LsCommand;
import dev.syncguard.cli.command.ReleaseCommand;
import dev.syncguard.cli.command.RunCommand;
import dev.syncguard.cli.command.SchemaCommand;
import dev.syncguard.cli.command.StatusCommand;
import dev.syncguard.cli.command.StoreOptions;
import dev.syncguard.cli.command.WatchCommand;
import dev.syncguard.cli.demo.DemoCommand;
import dev.syncguard.cli.demo.DemoWorker;
import dev.syncguard.cli.text.StandardStreams;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Arrays;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/** The table of commands. */
final class Commands {

    private static final String[] NAMES = {
        "run",
        "acquire",
        "release",
        "extend",
        "status",
        "lookup",
        "ls",
        "watch",
        "explain",
        "doctor",
        "fence",
        "schema",
        "demo",
        "completion"
    };

    private Commands() {}

    private static @Nullable Object create(String name) {
        return switch (name) {
            case "run" -> new RunCommand();
            case "acquire" -> new AcquireCommand();
            case "release" -> new ReleaseCommand();
            case "extend" -> new ExtendCommand();
            case "status" -> new StatusCommand();
            case "lookup" -> new LookupCommand();
            case "ls" -> new LsCommand();
            case "watch" -> new WatchCommand();
            case "explain" -> new ExplainCommand();
            case "doctor" -> new DoctorCommand();
            case "fence" -> new FenceCommand();
            case "schema" -> new SchemaCommand();
            case "demo" -> new DemoCommand();
            case "completion" -> new CompletionCommand(Commands::all);
            case DemoWorker.NAME -> new DemoWorker();
            default -> null;
        };
    }

    /** Builds only the command that was asked for: looking at all of them would take longer than most of them run. */
    static int execute(String[] args, UnaryOperator<CommandLine> settings) {
        Object command = args.length == 0 ? null : create(args[0]);
        if (command == null) {
            return execute(settings.apply(all()), args);
        }
        CommandLine line = new CommandLine(command).setCommandName("syncguard " + args[0]);
        if (Arrays.stream(args).anyMatch(Commands::mayNameSetting)) {
            StoreOptions.addSettings(line.getCommandSpec());
        }
        return execute(settings.apply(line), Arrays.copyOfRange(args, 1, args.length));
    }

    /** The settings of the stores are many, rarely used, and take time to build. */
    private static boolean mayNameSetting(String arg) {
        return arg.equals("-h") || arg.equals("--help") || StoreOptions.isSetting(arg);
    }

    /** Picocli prints help and version, and would not notice a full device. */
    private static int execute(CommandLine line, String... args) {
        StringWriter help = new StringWriter();
        int code = line.setOut(new PrintWriter(help)).execute(Arguments.sorted(line.getCommandSpec(), args));
        if (!help.toString().isEmpty()) {
            StandardStreams.out(help.toString());
        }
        return code;
    }

    static CommandLine all() {
        CommandLine root = new CommandLine(new Syncguard());
        for (String name : NAMES) {
            root.addSubcommand(name, create(name));
        }
        root.addSubcommand("help", new CommandLine.HelpCommand());
        StoreOptions.addSettings(root.getCommandSpec());
        return root;
    }
}
