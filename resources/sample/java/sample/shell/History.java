package sample.shell;

import java.util.Iterator;
import java.util.NoSuchElementException;

/** The last lines, the newest first. */
final class History implements Iterable<String> {
    private Entry newest;

    void add(String line) {
        newest = new Entry(line, newest);
    }

    @Override
    public Iterator<String> iterator() {
        return new Iterator<>() {
            private Entry next = newest;

            @Override
            public boolean hasNext() {
                return next != null;
            }

            @Override
            public String next() {
                if (next == null) {
                    throw new NoSuchElementException();
                }
                String line = next.line;
                next = next.older;
                return line;
            }
        };
    }

    private record Entry(String line, Entry older) {}
}
