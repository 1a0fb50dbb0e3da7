package sample.text;

/** Reads a number: digits, point, exponent. */
final class Numeral {
    private final Scanner.Cursor cursor;
    private final StringBuilder digits = new StringBuilder();
    private int exponent;

    Numeral(Scanner.Cursor cursor) {
        this.cursor = cursor;
    }

    Token read() {
        takeDigits();
        if (!cursor.done() && cursor.peek() == '.') {
            cursor.take();
            int before = digits.length();
            takeDigits();
            exponent -= digits.length() - before;
        }
        if (!cursor.done() && cursor.peek() == 'e') {
            cursor.take();
            exponent += signedDigits();
        }
        while (exponent < 0 && digits.length() > 1 && digits.charAt(digits.length() - 1) == '0') {
            digits.setLength(digits.length() - 1);
            exponent++;
        }
        return new Token(TokenKind.NUMBER, digits.toString(), exponent);
    }

    private void takeDigits() {
        while (!cursor.done() && Character.isDigit(cursor.peek())) {
            digits.append(cursor.take());
        }
    }

    private int signedDigits() {
        boolean negative = !cursor.done() && cursor.peek() == '-';
        if (negative) {
            cursor.take();
        }
        int value = 0;
        while (!cursor.done() && Character.isDigit(cursor.peek())) {
            value = value * 10 + cursor.take() - '0';
        }
        return negative ? -value : value;
    }
}
