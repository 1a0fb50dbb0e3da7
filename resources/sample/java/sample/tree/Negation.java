package sample.tree;

public record Negation(Expression inner) implements Expression {
    @Override
    public <R> R accept(Visitor<R> visitor) {
        return visitor.negation(this);
    }
}
