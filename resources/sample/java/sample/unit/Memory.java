package sample.unit;

import sample.number.BinaryScale;
import sample.number.Rational;

final class Memory extends Unit {
    Memory(String name, int exponent) {
        super(name, new BinaryScale().apply(Rational.ONE, exponent));
    }

    @Override
    String kind() {
        return "memory";
    }
}
