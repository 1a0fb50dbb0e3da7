package sample.command;

import sample.Command;
import sample.eval.Evaluator;
import sample.eval.Scope;
import sample.number.Rational;
import sample.tree.Parser;

/** {@code eval "1 + 2 * 3"}. */
public final class Evaluate implements Command {
    @Override
    public String name() {
        return "eval";
    }

    @Override
    public String run(String argument) {
        Scope<Rational> variables = new Scope<>();
        variables.define("dozen", Rational.of(12));
        return new Evaluator(variables).value(new Parser(argument).parse()).toString();
    }

    @Override
    public String help() {
        return "the value of an expression";
    }
}
