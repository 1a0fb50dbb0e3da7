package sample.tree;

import java.util.stream.Collectors;

/** Writes an expression with the brackets it needs. */
public final class Printer implements Visitor<String> {
    @Override
    public String constant(Constant constant) {
        return constant.value().toString();
    }

    @Override
    public String variable(Variable variable) {
        return variable.name();
    }

    @Override
    public String negation(Negation negation) {
        return "-" + bracketed(negation.inner(), 3);
    }

    @Override
    public String operation(Operation operation) {
        int strength = operation.operator().strength();
        return bracketed(operation.left(), strength)
                + " " + operation.operator().sign() + " "
                + bracketed(operation.right(), strength + 1);
    }

    @Override
    public String call(Call call) {
        return call.arguments().stream()
                .map(argument -> argument.accept(this))
                .collect(Collectors.joining(", ", call.function() + "(", ")"));
    }

    private String bracketed(Expression inner, int strength) {
        String text = inner.accept(this);
        boolean weak = inner instanceof Operation operation
                && operation.operator().strength() < strength;
        return weak ? "(" + text + ")" : text;
    }
}
