package sample.eval;

import java.util.List;
import sample.number.Rational;

/** A function of the calculator. */
@FunctionalInterface
public interface Function {
    Rational apply(List<Rational> arguments);

    default Function after(Function first) {
        return arguments -> apply(List.of(first.apply(arguments)));
    }
}
