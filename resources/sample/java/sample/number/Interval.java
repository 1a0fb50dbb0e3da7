package sample.number;

/** All numbers between two bounds, both included. */
public record Interval(Rational low, Rational high) {
    public boolean contains(Rational value) {
        return low.compareTo(value) <= 0 && value.compareTo(high) <= 0;
    }

    public Interval join(Interval other) {
        return new Interval(
                low.compareTo(other.low) < 0 ? low : other.low,
                high.compareTo(other.high) > 0 ? high : other.high);
    }
}
