package sample.eval;

import java.util.Collections;
import java.util.List;
import sample.number.Rational;
import sample.number.Rounding;

/** The functions that every calculator knows. */
final class Functions {
    private Functions() {}

    static Scope<Function> standard() {
        Scope<Function> scope = new Scope<>();
        scope.define("min", Collections::min);
        scope.define("max", Collections::max);
        scope.define("abs", list -> Collections.max(List.of(only(list), only(list).negate())));
        for (Rounding rounding : Rounding.values()) {
            scope.define(rounding.name().toLowerCase(), new Rounder(rounding));
        }
        scope.define("ceilabs", scope.find("up").after(scope.find("abs")));
        return scope;
    }

    private static Rational only(List<Rational> arguments) {
        if (arguments.size() != 1) {
            throw new EvaluationException("one argument expected");
        }
        return arguments.get(0);
    }

    private static final class Rounder implements Function {
        private final Rounding rounding;

        Rounder(Rounding rounding) {
            this.rounding = rounding;
        }

        @Override
        public Rational apply(List<Rational> arguments) {
            return Rational.of(rounding.round(only(arguments)));
        }
    }
}
