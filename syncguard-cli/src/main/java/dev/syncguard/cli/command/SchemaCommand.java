package dev.syncguard.cli.command;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.cli.store.Backends;
import dev.syncguard.cli.store.StoreSetting;
import dev.syncguard.cli.store.StoreSettings;
import dev.syncguard.cli.text.ExitCode;
import dev.syncguard.cli.text.Json;
import dev.syncguard.cli.text.Output;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code syncguard schema}. */
@Command(
        name = "schema",
        sortOptions = false,
        description = "Prints what a database needs to keep locks: tables, and the least rights of a role.",
        footer = {
            "",
            "Examples:",
            "  syncguard schema postgresql | psql",
            "  syncguard schema postgresql --role billing --schema locks | psql"
        })
public final class SchemaCommand implements Callable<Integer> {

    /** What of the settings of a store matters here. */
    static final List<StoreSetting> TABLES =
            List.of(StoreSetting.SCHEMA, StoreSetting.LOCK_TABLE, StoreSetting.COUNTER_TABLE);

    @Parameters(paramLabel = "postgresql", description = "The database")
    private String database = "";

    @Option(
            names = "--role",
            paramLabel = "ROLE",
            description = "Prints the GRANTs for this role as statements, not as comments")
    private @Nullable String role;

    @Mixin
    private Output output = new Output();

    private final StoreSettings tables = new StoreSettings();

    /** Made by picocli. */
    public SchemaCommand() {}

    StoreSettings tables() {
        return tables;
    }

    @Override
    public Integer call() {
        if (!database.equals("postgresql")) {
            throw new LockException(Code.INVALID_ARGUMENT, "only postgresql needs a schema");
        }
        String script = Backends.schema(tables).strip();
        String sql = role == null ? script : granted(script, role);
        output.answer(sql, new Json().put("ok", true).put("sql", sql));
        return ExitCode.YES;
    }

    private static String granted(String sql, String role) {
        if (!role.matches("[a-z_][a-z0-9_]{0,62}")) {
            throw new LockException(Code.INVALID_ARGUMENT, "a role has 1 to 63 characters of a-z 0-9 _");
        }
        return sql.replace("--   GRANT ", "GRANT ").replace(" TO app;", " TO \"" + role + "\";");
    }
}
