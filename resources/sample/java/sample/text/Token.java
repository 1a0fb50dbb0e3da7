package sample.text;

import sample.number.DecimalScale;
import sample.number.Rational;
import sample.number.Scale;

/** A piece of the text; a number has digits and an exponent of ten. */
public record Token(TokenKind kind, String text, int exponent) {
    private static final Scale TEN = new DecimalScale();

    public Rational value() {
        return TEN.apply(Rational.of(Long.parseLong(text)), exponent);
    }

    public boolean is(String symbol) {
        return kind == TokenKind.SYMBOL && text.equals(symbol);
    }
}
