package sample.tree;

public record Operation(Operator operator, Expression left, Expression right)
        implements Expression {
    @Override
    public <R> R accept(Visitor<R> visitor) {
        return visitor.operation(this);
    }
}
