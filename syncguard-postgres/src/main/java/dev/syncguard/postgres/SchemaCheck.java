package dev.syncguard.postgres;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Compares the columns of a database with those that the statements need. */
final class SchemaCheck {

    private enum Index {
        NONE,
        ANY,
        UNIQUE
    }

    private record Wanted(String table, String column, String type, Index index) {}

    private record Found(String type, boolean hasIndex, boolean isUnique) {}

    private final PostgresNames names;
    private final Map<String, Map<String, Found>> tables = new HashMap<>();

    SchemaCheck(PostgresNames names) {
        this.names = names;
    }

    void found(String table, String column, String type, boolean hasIndex, boolean isUnique) {
        tables.computeIfAbsent(table, name -> new HashMap<>()).put(column, new Found(type, hasIndex, isUnique));
    }

    List<String> missing() {
        List<String> missing = new ArrayList<>();
        for (String table : List.of(names.locks(), names.counters())) {
            Map<String, Found> columns = tables.get(table);
            if (columns == null) {
                missing.add("table " + names.schema() + "." + table);
                continue;
            }
            for (Wanted wanted : wanted(table)) {
                compare(wanted, columns.get(wanted.column), missing);
            }
        }
        return List.copyOf(missing);
    }

    private void compare(Wanted wanted, @Nullable Found found, List<String> missing) {
        String column = names.schema() + "." + wanted.table + "." + wanted.column;
        if (found == null || !found.type.equals(wanted.type)) {
            missing.add("column " + column + " of type " + wanted.type);
        } else if (wanted.index == Index.UNIQUE && !found.isUnique) {
            missing.add("unique index on " + column);
        } else if (wanted.index == Index.ANY && !found.hasIndex) {
            missing.add("index on " + column);
        }
    }

    private List<Wanted> wanted(String table) {
        return table.equals(names.locks())
                ? List.of(
                        new Wanted(table, "key", "text", Index.UNIQUE),
                        new Wanted(table, "lock_id", "text", Index.UNIQUE),
                        new Wanted(table, "expires_at_ms", "bigint", Index.ANY),
                        new Wanted(table, "acquired_at_ms", "bigint", Index.NONE),
                        new Wanted(table, "fence", "text", Index.NONE),
                        new Wanted(table, "user_key", "text", Index.NONE))
                : List.of(
                        new Wanted(table, "fence_key", "text", Index.UNIQUE),
                        new Wanted(table, "fence", "bigint", Index.NONE),
                        new Wanted(table, "key_debug", "text", Index.NONE));
    }
}
