package dev.syncguard.benchmarks.report;

import java.util.ArrayList;
import java.util.List;

/** A table in Markdown. */
final class Table {

    private final List<List<String>> rows = new ArrayList<>();
    private final int columns;

    Table(String... titles) {
        this(List.of(titles));
    }

    Table(List<String> titles) {
        columns = titles.size();
        rows.add(titles);
        rows.add(titles.stream().map(title -> "---").toList());
    }

    Table row(String... cells) {
        return row(List.of(cells));
    }

    Table row(List<String> cells) {
        if (cells.size() != columns) {
            throw new IllegalArgumentException(cells.size() + " cells for " + columns + " columns");
        }
        rows.add(cells);
        return this;
    }

    boolean isEmpty() {
        return rows.size() == 2;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (List<String> row : rows) {
            text.append('|');
            row.forEach(cell -> text.append(' ').append(escaped(cell)).append(" |"));
            text.append('\n');
        }
        return text.toString();
    }

    private static String escaped(String cell) {
        return cell.replace("|", "\\|").replace("\n", " ");
    }
}
