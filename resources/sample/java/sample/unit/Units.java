package sample.unit;

import java.util.Map;
import java.util.TreeMap;
import sample.number.Rational;

/** All units, by name. */
public final class Units {
    private final Map<String, Unit> units = new TreeMap<>();

    public Units() {
        add(new Length("m", Rational.ONE));
        add(new Length("km", Rational.of(1000)));
        add(new Length("inch", new Rational(254, 10000)));
        add(new Memory("byte", 0));
        add(new Memory("KiB", 10));
        add(new Memory("MiB", 20));
    }

    private void add(Unit unit) {
        units.put(unit.name(), unit);
    }

    public Unit get(String name) {
        Unit unit = units.get(name);
        if (unit == null) {
            throw new IllegalArgumentException("unknown unit " + name + ", known: " + units.keySet());
        }
        return unit;
    }

    /** Two units of different kinds. */
    public static final class MismatchException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        MismatchException(Unit from, Unit to) {
            super(from.name() + " is " + from.kind() + ", " + to.name() + " is " + to.kind());
        }
    }
}
