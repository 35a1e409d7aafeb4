package dev.syncguard.cli.command;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.SyncGuard;
import dev.syncguard.cli.store.Backends;
import dev.syncguard.cli.store.StoreAddress;
import dev.syncguard.cli.store.StoreSetting;
import dev.syncguard.cli.store.StoreSettings;
import dev.syncguard.spi.LockBackend;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.ISetter;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;

/** Where the locks are. */
public final class StoreOptions {

    /** The name under which commands mix it in. */
    public static final String NAME = "store";

    @Option(
            names = {"-b", "--backend"},
            paramLabel = "URL",
            description = {
                "Where the locks are: sqlite:PATH, redis://…, rediss://…, redis-sentinel://…, redis-cluster://…,"
                        + " postgresql://…, firestore://PROJECT, memory:.",
                "Default: $$SYNCGUARD_BACKEND, or what the config file says, or a file in your state directory"
            })
    private @Nullable String backend;

    @Option(
            names = "--password-file",
            paramLabel = "FILE",
            description = "Holds the store's password, else $$SYNCGUARD_PASSWORD")
    private @Nullable String passwordFile;

    private final StoreSettings settings = new StoreSettings();

    /** Made by picocli. */
    public StoreOptions() {}

    /**
     * Adds an option for each setting of the stores to a command that has these options, and to its subcommands.
     *
     * @param spec the command
     */
    public static void addSettings(CommandSpec spec) {
        spec.subcommands().values().forEach(subcommand -> addSettings(subcommand.getCommandSpec()));
        CommandSpec mixin = spec.mixins().get(NAME);
        if (spec.userObject() instanceof SchemaCommand schema) {
            addSettings(spec, schema.tables(), SchemaCommand.TABLES);
        }
        if (mixin != null) {
            addSettings(spec, ((StoreOptions) mixin.userObject()).settings, List.of(StoreSetting.values()));
        }
    }

    /**
     * Returns whether an argument may be the option of a setting.
     *
     * @param arg perhaps with a value behind {@code =}
     * @return whether {@link #addSettings(CommandSpec)} is needed to understand it
     */
    public static boolean isSetting(String arg) {
        if (!arg.startsWith("--")) {
            return false;
        }
        for (StoreSetting setting : StoreSetting.values()) {
            if (arg.startsWith(setting.entry(), 2)) {
                return true;
            }
        }
        return false;
    }

    /** Adds options for some settings. */
    static void addSettings(CommandSpec spec, StoreSettings target, List<StoreSetting> settings) {
        ArgGroupSpec.Builder group = ArgGroupSpec.builder()
                .validate(false)
                .heading("%nSettings of the store (each is a parameter of its URL as well):%n");
        for (StoreSetting setting : settings) {
            group.addArg(OptionSpec.builder("--" + setting.entry())
                    .arity(setting.label().isEmpty() ? "0" : "1")
                    .paramLabel(setting.label())
                    .description(setting.description())
                    .type(setting.label().isEmpty() ? boolean.class : String.class)
                    .setter(new Put(target, setting))
                    .build());
        }
        spec.addArgGroup(group.build());
    }

    private record Put(StoreSettings target, StoreSetting setting) implements ISetter {

        @Override
        @SuppressWarnings("TypeParameterUnusedInFormals") // picocli's
        public <T> T set(T value) {
            if (value != null) {
                target.put(setting, value.toString());
            }
            return value;
        }
    }

    /**
     * Opens the store.
     *
     * @return the store, to be closed
     * @throws LockException if that fails
     */
    public LockBackend open() {
        ConfigFile config = ConfigFile.read();
        String given = backend != null ? backend : environment("SYNCGUARD_BACKEND");
        boolean isFromConfig = given == null && config.has(ConfigFile.BACKEND);
        // What stands beside a backend in the file belongs to that one: another one must not get its password.
        boolean counts = isFromConfig || !config.has(ConfigFile.BACKEND);
        String url = given != null ? given : config.get(ConfigFile.BACKEND, "sqlite:");
        return Backends.open(new StoreAddress(
                url,
                password(counts ? config : ConfigFile.empty()),
                counts ? settings.orElse(config.settings()) : settings));
    }

    /**
     * Opens the store for commands that hold locks.
     *
     * @return a guard, to be closed
     * @throws LockException if that fails
     */
    public SyncGuard guard() {
        return SyncGuard.of(open());
    }

    private static @Nullable String environment(String name) {
        String value = Environment.get(name);
        return value == null || value.isEmpty() ? null : value;
    }

    private @Nullable String password(ConfigFile config) {
        if (passwordFile != null) {
            return firstLine(passwordFile);
        }
        String variable = Environment.get("SYNCGUARD_PASSWORD");
        if (variable != null) {
            return variable;
        }
        return config.has(ConfigFile.PASSWORD_FILE)
                ? firstLine(config.get(ConfigFile.PASSWORD_FILE, ""))
                : config.has(ConfigFile.PASSWORD) ? config.get(ConfigFile.PASSWORD, "") : null;
    }

    private static String firstLine(String file) {
        try {
            List<String> lines = SmallFile.lines(Path.of(file));
            if (lines == null) {
                throw new LockException(Code.INVALID_ARGUMENT, "the password file is longer than 64 KiB");
            }
            if (lines.isEmpty() || lines.get(0).isEmpty()) {
                throw new LockException(Code.INVALID_ARGUMENT, "the first line of the password file is empty");
            }
            return lines.get(0);
        } catch (IOException | InvalidPathException e) {
            throw new LockException(
                    Code.INVALID_ARGUMENT,
                    "the password file cannot be read: " + e.getClass().getSimpleName(),
                    e);
        }
    }
}
