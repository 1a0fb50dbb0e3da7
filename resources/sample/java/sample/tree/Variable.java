package sample.tree;

public record Variable(String name) implements Expression {
    @Override
    public <R> R accept(Visitor<R> visitor) {
        return visitor.variable(this);
    }
}
