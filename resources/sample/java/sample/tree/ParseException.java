package sample.tree;

import sample.text.Token;

/** A token where none of its kind may stand. */
public final class ParseException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ParseException(Token token) {
        super("unexpected " + (token.text().isEmpty() ? "end" : token.text()));
    }
}
