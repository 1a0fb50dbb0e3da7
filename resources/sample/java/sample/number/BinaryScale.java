package sample.number;

/** Powers of two, for sizes of memory. */
public final class BinaryScale implements Scale {
    @Override
    public Rational factor(int exponent) {
        return Rational.of(1L << Math.abs(exponent));
    }
}
