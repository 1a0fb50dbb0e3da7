package sample.tree;

import java.util.function.BinaryOperator;
import sample.number.Rational;

/** The four operators with their sign, their strength and their meaning. */
public enum Operator {
    ADD("+", 1, Rational::plus),
    SUBTRACT("-", 1, Rational::minus),
    MULTIPLY("*", 2, Rational::times),
    DIVIDE("/", 2, (a, b) -> a.times(b.reciprocal()));

    private final String sign;
    private final int strength;
    private final BinaryOperator<Rational> meaning;

    Operator(String sign, int strength, BinaryOperator<Rational> meaning) {
        this.sign = sign;
        this.strength = strength;
        this.meaning = meaning;
    }

    public String sign() {
        return sign;
    }

    public int strength() {
        return strength;
    }

    public Rational apply(Rational a, Rational b) {
        return meaning.apply(a, b);
    }
}
