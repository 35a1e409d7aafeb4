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

    /** A column; by bytes: no library of the system decides which texts are equal or in which order they stand. */
    record Found(String type, boolean hasIndex, boolean isUnique, boolean byBytes) {}

    private final PostgresNames names;
    private final Map<String, Map<String, Found>> tables = new HashMap<>();

    SchemaCheck(PostgresNames names) {
        this.names = names;
    }

    void found(String table, String column, Found found) {
        tables.computeIfAbsent(table, name -> new HashMap<>()).put(column, found);
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

    /** Whether the table has a place for labels, which it need not have. */
    boolean hasLabels() {
        Map<String, Found> columns = tables.getOrDefault(names.locks(), Map.of());
        return List.of("label", "label_lock_id").stream()
                .map(columns::get)
                .allMatch(found -> found != null && found.type.equals("text"));
    }

    /** Names the unique columns whose index an upgrade of the system's library can break, with the statement that fixes it. */
    List<String> collations() {
        List<String> wrong = new ArrayList<>();
        for (String table : List.of(names.locks(), names.counters())) {
            for (Wanted wanted : wanted(table)) {
                Found found = tables.getOrDefault(table, Map.of()).get(wanted.column);
                if (wanted.index == Index.UNIQUE && found != null && !found.byBytes) {
                    wrong.add("collation \"C\" on " + names.schema() + "." + table + "." + wanted.column
                            + ": ALTER TABLE \"" + names.schema() + "\".\"" + table + "\" ALTER COLUMN " + wanted.column
                            + " TYPE text COLLATE \"C\"");
                }
            }
        }
        return List.copyOf(wrong);
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
