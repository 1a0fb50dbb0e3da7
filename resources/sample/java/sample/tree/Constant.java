package sample.tree;

import sample.number.Rational;

public record Constant(Rational value) implements Expression {
    @Override
    public <R> R accept(Visitor<R> visitor) {
        return visitor.constant(this);
    }
}
