package sample.number;

/** What one step of an exponent is worth. */
public interface Scale {
    /** The factor of {@code exponent} steps upward. */
    Rational factor(int exponent);

    /** {@code value} moved by {@code exponent} steps, upward or downward. */
    default Rational apply(Rational value, int exponent) {
        return exponent < 0
                ? value.times(factor(exponent).reciprocal())
                : value.times(factor(exponent));
    }
}
