package sample;

import java.util.List;
import sample.number.Rational;
import sample.text.Scanner;
import sample.text.Token;
import sample.text.TokenKind;

/** Reads a few literals and compares them with what they should mean. */
final class SelfCheck {
    private static final List<String> LITERALS = List.of("1", "0.5", "12e2", "1.5e-3");

    int run() {
        int read = 0;
        for (String literal : LITERALS) {
            Token token = new Scanner(literal).next();
            if (token.kind() != TokenKind.NUMBER) {
                throw new IllegalStateException(literal + " is read as " + token.kind());
            }
            Rational value = token.value();
            System.out.println(literal + " = " + value);
            read++;
        }
        return read;
    }
}
