package dev.syncguard.fence.jdbc;

import dev.syncguard.LockException;
import dev.syncguard.LockException.Code;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The files beside this class that create a table. */
final class SqlFiles {

    private SqlFiles() {}

    static String ddl(@Nullable SqlDialect dialect, String table) {
        if (dialect == null) {
            throw new LockException(Code.INVALID_ARGUMENT, "dialect must not be null");
        }
        String file = dialect.name().toLowerCase(Locale.ROOT) + ".sql";
        try (InputStream text = SqlFiles.class.getResourceAsStream(file)) {
            if (text == null) {
                throw new IOException("not found");
            }
            return inSchema(new String(text.readAllBytes(), StandardCharsets.UTF_8), table)
                    .replace("syncguard_fences", table);
        } catch (IOException e) {
            throw new LockException(Code.INTERNAL, "the file " + file + " is missing in this jar", e);
        }
    }

    /** A name without a schema leaves it to the search path: no statement can name it. */
    private static String inSchema(String script, String table) {
        int dot = table.indexOf('.');
        return dot < 0
                ? script.replaceAll("(?m)^.*syncguard_schema.*\\R", "")
                : script.replace("syncguard_schema", table.substring(0, dot));
    }

    /** Without comments, which not every driver can execute. */
    static List<String> statements(String script) {
        String code = script.lines().filter(line -> !line.startsWith("--")).collect(Collectors.joining("\n"));
        return Arrays.stream(code.split(";"))
                .map(String::strip)
                .filter(sql -> !sql.isEmpty())
                .toList();
    }
}
