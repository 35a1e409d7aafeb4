package dev.syncguard.cli.command;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import dev.syncguard.cli.text.ExitCode;
import dev.syncguard.cli.text.Json;
import dev.syncguard.cli.text.Output;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
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
            "  syncguard schema postgresql --role billing | psql"
        })
public final class SchemaCommand implements Callable<Integer> {

    private static final String RESOURCE = "dev/syncguard/postgres/schema.sql";

    @Parameters(paramLabel = "postgresql", description = "The database")
    private String database = "";

    @Option(names = "--role", paramLabel = "ROLE", description = "Grants to this role, not in a comment but for real")
    private @Nullable String role;

    @Mixin
    private Output output = new Output();

    /** Made by picocli. */
    public SchemaCommand() {}

    @Override
    public Integer call() throws IOException {
        if (!database.equals("postgresql")) {
            throw new LockException(Code.INVALID_ARGUMENT, "only postgresql needs a schema");
        }
        String sql = sql().strip();
        output.answer(
                role == null ? sql : granted(sql, role),
                new Json().put("ok", true).put("sql", sql));
        return ExitCode.YES;
    }

    private static String sql() throws IOException {
        try (InputStream resource = SchemaCommand.class.getClassLoader().getResourceAsStream(RESOURCE)) {
            if (resource == null) {
                throw new LockException(Code.INTERNAL, "the schema is missing in this build");
            }
            return new String(resource.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static String granted(String sql, String role) {
        if (!role.matches("[a-z_][a-z0-9_]{0,62}")) {
            throw new LockException(Code.INVALID_ARGUMENT, "a role has 1 to 63 characters of a-z 0-9 _");
        }
        return sql.replace("--   GRANT ", "GRANT ").replace(" TO app;", " TO \"" + role + "\";");
    }
}
