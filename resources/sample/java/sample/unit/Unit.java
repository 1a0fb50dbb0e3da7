package sample.unit;

import sample.number.Rational;

/** A unit of measurement: so many of the base unit of its kind. */
public abstract class Unit {
    private final String name;
    private final Rational size;

    Unit(String name, Rational size) {
        this.name = name;
        this.size = size;
    }

    public String name() {
        return name;
    }

    Rational size() {
        return size;
    }

    abstract String kind();

    public Quantity of(Rational amount) {
        return new Quantity(amount, this);
    }
}
