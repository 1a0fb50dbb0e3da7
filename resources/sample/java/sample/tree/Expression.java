package sample.tree;

/** An expression; the closed family of its forms. */
public sealed interface Expression
        permits Constant, Variable, Negation, Operation, Call {
    <R> R accept(Visitor<R> visitor);
}
