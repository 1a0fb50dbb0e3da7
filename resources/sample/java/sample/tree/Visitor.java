package sample.tree;

/** One method a form of expression. */
public interface Visitor<R> {
    R constant(Constant constant);

    R variable(Variable variable);

    R negation(Negation negation);

    R operation(Operation operation);

    R call(Call call);
}
