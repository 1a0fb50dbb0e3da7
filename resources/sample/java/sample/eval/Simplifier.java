package sample.eval;

import java.util.stream.Collectors;
import sample.number.Rational;
import sample.tree.Call;
import sample.tree.Constant;
import sample.tree.Expression;
import sample.tree.Negation;
import sample.tree.Operation;
import sample.tree.Operator;
import sample.tree.Variable;
import sample.tree.Visitor;

/** Folds constants and drops neutral elements. */
public final class Simplifier implements Visitor<Expression> {
    @Override
    public Expression constant(Constant constant) {
        return constant;
    }

    @Override
    public Expression variable(Variable variable) {
        return variable;
    }

    @Override
    public Expression negation(Negation negation) {
        Expression inner = negation.inner().accept(this);
        return inner instanceof Constant constant
                ? new Constant(constant.value().negate())
                : new Negation(inner);
    }

    @Override
    public Expression operation(Operation operation) {
        Expression left = operation.left().accept(this);
        Expression right = operation.right().accept(this);
        Operator operator = operation.operator();
        if (left instanceof Constant a && right instanceof Constant b) {
            return new Constant(operator.apply(a.value(), b.value()));
        }
        if (operator == Operator.ADD && is(left, Rational.ZERO)) {
            return right;
        }
        if (operator == Operator.ADD && is(right, Rational.ZERO)) {
            return left;
        }
        if (operator == Operator.MULTIPLY && is(left, Rational.ONE)) {
            return right;
        }
        if (operator == Operator.MULTIPLY && is(right, Rational.ONE)) {
            return left;
        }
        if (operator == Operator.MULTIPLY && (is(left, Rational.ZERO) || is(right, Rational.ZERO))) {
            return new Constant(Rational.ZERO);
        }
        return new Operation(operator, left, right);
    }

    @Override
    public Expression call(Call call) {
        return new Call(
                call.function(),
                call.arguments().stream()
                        .map(argument -> argument.accept(this))
                        .collect(Collectors.toList()));
    }

    private static boolean is(Expression expression, Rational value) {
        return expression instanceof Constant constant && constant.value().equals(value);
    }
}
