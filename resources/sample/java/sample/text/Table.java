package sample.text;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Lines of two columns, the first one as wide as its widest cell. */
public final class Table {
    private final List<Row> rows = new ArrayList<>();

    public Table add(String left, String right) {
        rows.add(new Row(left, right));
        return this;
    }

    public Table sorted() {
        rows.sort(new Comparator<Row>() {
            @Override
            public int compare(Row one, Row other) {
                return one.left.compareTo(other.left);
            }
        });
        return this;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (Row row : rows) {
            text.append(row.line()).append(System.lineSeparator());
        }
        return text.toString();
    }

    private int width() {
        return rows.stream().mapToInt(row -> row.left.length()).max().orElse(0);
    }

    /** One line; knows its table for the width. */
    private final class Row {
        private final String left;
        private final String right;

        Row(String left, String right) {
            this.left = left;
            this.right = right;
        }

        String line() {
            return left + " ".repeat(width() - left.length() + 2) + right;
        }
    }
}
