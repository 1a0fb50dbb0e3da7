package sample.number;

/** A fraction in lowest terms with a positive denominator. */
public record Rational(long numerator, long denominator) implements Comparable<Rational> {
    public static final Rational ZERO = new Rational(0, 1);
    public static final Rational ONE = new Rational(1, 1);

    public Rational {
        if (denominator == 0) {
            throw new ArithmeticException("zero denominator");
        }
        long divisor = gcd(Math.abs(numerator), Math.abs(denominator));
        if (denominator < 0) {
            divisor = -divisor;
        }
        numerator /= divisor;
        denominator /= divisor;
    }

    public static Rational of(long value) {
        return new Rational(value, 1);
    }

    private static long gcd(long a, long b) {
        return b == 0 ? Math.max(a, 1) : gcd(b, a % b);
    }

    public Rational plus(Rational other) {
        return new Rational(
                numerator * other.denominator + other.numerator * denominator,
                denominator * other.denominator);
    }

    public Rational minus(Rational other) {
        return plus(other.negate());
    }

    public Rational times(Rational other) {
        return new Rational(numerator * other.numerator, denominator * other.denominator);
    }

    public Rational negate() {
        return new Rational(-numerator, denominator);
    }

    public Rational reciprocal() {
        if (numerator == 0) {
            throw new ArithmeticException("zero has no reciprocal");
        }
        return new Rational(denominator, numerator);
    }

    @Override
    public int compareTo(Rational other) {
        return Long.compare(numerator * other.denominator, other.numerator * denominator);
    }

    @Override
    public String toString() {
        return denominator == 1 ? Long.toString(numerator) : numerator + "/" + denominator;
    }
}
