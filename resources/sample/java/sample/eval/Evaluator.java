package sample.eval;

import java.util.List;
import java.util.stream.Collectors;
import sample.number.Rational;
import sample.tree.Call;
import sample.tree.Constant;
import sample.tree.Expression;
import sample.tree.Negation;
import sample.tree.Operation;
import sample.tree.Variable;
import sample.tree.Visitor;

/** The value of an expression. */
public final class Evaluator implements Visitor<Rational> {
    private final Scope<Rational> variables;
    private final Scope<Function> functions = Functions.standard();

    public Evaluator(Scope<Rational> variables) {
        this.variables = variables;
    }

    public Rational value(Expression expression) {
        return variables.nested(() -> expression.accept(this));
    }

    @Override
    public Rational constant(Constant constant) {
        return constant.value();
    }

    @Override
    public Rational variable(Variable variable) {
        return variables.find(variable.name());
    }

    @Override
    public Rational negation(Negation negation) {
        return negation.inner().accept(this).negate();
    }

    @Override
    public Rational operation(Operation operation) {
        return operation.operator()
                .apply(operation.left().accept(this), operation.right().accept(this));
    }

    @Override
    public Rational call(Call call) {
        List<Rational> arguments = call.arguments().stream()
                .map(argument -> argument.accept(this))
                .collect(Collectors.toList());
        return functions.find(call.function()).apply(arguments);
    }
}
