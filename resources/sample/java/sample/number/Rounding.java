package sample.number;

/** Ways to make a whole number of a fraction. */
public enum Rounding {
    DOWN {
        @Override
        public long round(Rational value) {
            return Math.floorDiv(value.numerator(), value.denominator());
        }
    },
    UP {
        @Override
        public long round(Rational value) {
            return -Math.floorDiv(-value.numerator(), value.denominator());
        }
    },
    NEAREST {
        @Override
        public long round(Rational value) {
            return DOWN.round(value.plus(new Rational(1, 2)));
        }
    };

    public abstract long round(Rational value);
}
