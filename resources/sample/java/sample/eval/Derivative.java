package sample.eval;

import sample.number.Rational;
import sample.tree.Call;
import sample.tree.Constant;
import sample.tree.Expression;
import sample.tree.Negation;
import sample.tree.Operation;
import sample.tree.Operator;
import sample.tree.Variable;
import sample.tree.Visitor;

/** The derivative of an expression by one variable. */
public final class Derivative implements Visitor<Expression> {
    private final String name;

    public Derivative(String name) {
        this.name = name;
    }

    @Override
    public Expression constant(Constant constant) {
        return new Constant(Rational.ZERO);
    }

    @Override
    public Expression variable(Variable variable) {
        return new Constant(variable.name().equals(name) ? Rational.ONE : Rational.ZERO);
    }

    @Override
    public Expression negation(Negation negation) {
        return new Negation(negation.inner().accept(this));
    }

    @Override
    public Expression operation(Operation operation) {
        Expression u = operation.left();
        Expression v = operation.right();
        Expression du = u.accept(this);
        Expression dv = v.accept(this);
        return switch (operation.operator()) {
            case ADD, SUBTRACT -> new Operation(operation.operator(), du, dv);
            case MULTIPLY -> add(times(du, v), times(u, dv));
            case DIVIDE -> new Operation(
                    Operator.DIVIDE,
                    new Operation(Operator.SUBTRACT, times(du, v), times(u, dv)),
                    times(v, v));
        };
    }

    @Override
    public Expression call(Call call) {
        throw new EvaluationException(call.function() + " has no derivative");
    }

    private static Expression add(Expression a, Expression b) {
        return new Operation(Operator.ADD, a, b);
    }

    private static Expression times(Expression a, Expression b) {
        return new Operation(Operator.MULTIPLY, a, b);
    }
}
