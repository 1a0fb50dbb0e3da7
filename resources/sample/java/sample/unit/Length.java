package sample.unit;

import sample.number.Rational;

final class Length extends Unit {
    Length(String name, Rational metres) {
        super(name, metres);
    }

    @Override
    String kind() {
        return "length";
    }
}
