package sample.tree;

import java.util.List;

public record Call(String function, List<Expression> arguments) implements Expression {
    @Override
    public <R> R accept(Visitor<R> visitor) {
        return visitor.call(this);
    }
}
