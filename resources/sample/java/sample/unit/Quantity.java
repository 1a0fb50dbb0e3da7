package sample.unit;

import sample.number.Rational;

/** So many of a unit. */
public record Quantity(Rational amount, Unit unit) {
    public Quantity in(Unit target) {
        if (!target.kind().equals(unit.kind())) {
            throw new Units.MismatchException(unit, target);
        }
        return target.of(amount.times(unit.size()).times(target.size().reciprocal()));
    }

    @Override
    public String toString() {
        return amount + " " + unit.name();
    }
}
