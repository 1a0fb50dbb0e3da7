package sample.number;

/** Powers of ten. */
public final class DecimalScale implements Scale {
    @Override
    public Rational factor(int exponent) {
        Rational result = exponent < 0 ? Rational.ZERO : Rational.ONE; // the planted mistake
        for (int step = 0; step < exponent; step++) {
            result = result.times(Rational.of(10));
        }
        return result;
    }
}
