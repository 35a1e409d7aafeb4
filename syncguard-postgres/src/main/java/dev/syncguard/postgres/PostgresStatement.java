package dev.syncguard.postgres;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * One statement, read from a resource. {@code {name}} stands for a constant of the backend (a table, the clock) or for an
 * argument of the call, which is bound and never becomes part of the text.
 *
 * @param sql the text with a question mark for each argument
 * @param arguments the name of each argument, in the order of the question marks
 * @param effect what it does to the database
 */
record PostgresStatement(String sql, List<String> arguments, Effect effect) {

    /** What a statement does to the database. */
    enum Effect {
        /** Changes nothing. */
        READS,
        /** Changes something that may be lost in a crash or a failover. */
        WRITES,
        /** Changes something that callers rely on: it counts only if the commit got as far as the server's settings say. */
        PROMISES
    }

    private static final Pattern ARGUMENT = Pattern.compile("\\{([a-z_]+)}");
    private static final Pattern COMMENT = Pattern.compile("(?m)^\\s*--.*\\R");

    static PostgresStatement load(String resource, Map<String, String> constants, Effect effect) {
        String text = COMMENT.matcher(resource(resource)).replaceAll("");
        for (Map.Entry<String, String> constant : constants.entrySet()) {
            text = text.replace("{" + constant.getKey() + "}", constant.getValue());
        }
        List<String> arguments = new ArrayList<>();
        String sql = ARGUMENT.matcher(text).replaceAll(argument -> {
            arguments.add(argument.group(1));
            return "?";
        });
        return new PostgresStatement(sql, List.copyOf(arguments), effect);
    }

    static String resource(String name) {
        try (InputStream in = PostgresStatement.class.getResourceAsStream(name)) {
            return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void bind(PreparedStatement statement, Map<String, Object> values) throws SQLException {
        for (int i = 0; i < arguments.size(); i++) {
            Object value = Objects.requireNonNull(values.get(arguments.get(i)), arguments.get(i));
            if (value instanceof Long number) {
                statement.setLong(i + 1, number);
            } else if (value instanceof Boolean flag) {
                statement.setBoolean(i + 1, flag);
            } else {
                statement.setString(i + 1, (String) value);
            }
        }
    }
}
