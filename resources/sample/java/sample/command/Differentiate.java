package sample.command;

import sample.Command;
import sample.eval.Derivative;
import sample.eval.Simplifier;
import sample.tree.Parser;
import sample.tree.Printer;

/** {@code diff "x * x"}. */
public final class Differentiate implements Command {
    @Override
    public String name() {
        return "diff";
    }

    @Override
    public String run(String argument) {
        return new Parser(argument).parse()
                .accept(new Derivative("x"))
                .accept(new Simplifier())
                .accept(new Printer());
    }
}
