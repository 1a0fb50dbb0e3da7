package sample.text;

/** Cuts a text into tokens. */
public final class Scanner {
    private final Cursor cursor;

    public Scanner(String text) {
        this.cursor = new Cursor(text);
    }

    public Token next() {
        cursor.skipBlanks();
        if (cursor.done()) {
            return new Token(TokenKind.END, "", 0);
        }
        char first = cursor.peek();
        if (Character.isDigit(first)) {
            return new Numeral(cursor).read();
        }
        if (Character.isLetter(first)) {
            StringBuilder name = new StringBuilder();
            while (!cursor.done() && Character.isLetterOrDigit(cursor.peek())) {
                name.append(cursor.take());
            }
            return new Token(TokenKind.NAME, name.toString(), 0);
        }
        if ("+-*/^(),=".indexOf(first) < 0) {
            throw new ScanException(this, "unexpected " + first);
        }
        return new Token(TokenKind.SYMBOL, String.valueOf(cursor.take()), 0);
    }

    int position() {
        return cursor.at;
    }

    /** A place in a text. */
    static final class Cursor {
        private final String text;
        private int at;

        Cursor(String text) {
            this.text = text;
        }

        boolean done() {
            return at >= text.length();
        }

        char peek() {
            return text.charAt(at);
        }

        char take() {
            return text.charAt(at++);
        }

        void skipBlanks() {
            while (!done() && Character.isWhitespace(peek())) {
                at++;
            }
        }
    }
}
