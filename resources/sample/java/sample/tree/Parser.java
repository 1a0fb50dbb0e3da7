package sample.tree;

import java.util.ArrayList;
import java.util.List;
import sample.text.Scanner;
import sample.text.Token;
import sample.text.TokenKind;

/** Makes an expression of a text. */
public final class Parser {
    private final Scanner scanner;
    private Token token;

    public Parser(String text) {
        this.scanner = new Scanner(text);
        this.token = scanner.next();
    }

    public Expression parse() {
        Expression result = operation(1);
        if (token.kind() != TokenKind.END) {
            throw new ParseException(token);
        }
        return result;
    }

    private Expression operation(int strength) {
        if (strength > 2) {
            return prefix();
        }
        Expression left = operation(strength + 1);
        for (Operator operator = operator(strength); operator != null; operator = operator(strength)) {
            step();
            left = new Operation(operator, left, operation(strength + 1));
        }
        return left;
    }

    private Operator operator(int strength) {
        for (Operator operator : Operator.values()) {
            if (operator.strength() == strength && token.is(operator.sign())) {
                return operator;
            }
        }
        return null;
    }

    private Expression prefix() {
        if (token.is("-")) {
            step();
            return new Negation(prefix());
        }
        if (token.is("(")) {
            step();
            Expression inner = operation(1);
            expect(")");
            return inner;
        }
        Token first = step();
        switch (first.kind()) {
            case NUMBER:
                return new Constant(first.value());
            case NAME:
                return token.is("(") ? new Call(first.text(), arguments()) : new Variable(first.text());
            default:
                throw new ParseException(first);
        }
    }

    private List<Expression> arguments() {
        List<Expression> arguments = new ArrayList<>();
        expect("(");
        while (!token.is(")")) {
            arguments.add(operation(1));
            if (token.is(",")) {
                step();
            }
        }
        expect(")");
        return arguments;
    }

    private void expect(String symbol) {
        if (!token.is(symbol)) {
            throw new ParseException(token);
        }
        step();
    }

    private Token step() {
        Token old = token;
        token = scanner.next();
        return old;
    }
}
