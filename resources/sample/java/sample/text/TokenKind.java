package sample.text;

/** What a token is. */
public enum TokenKind {
    NUMBER,
    NAME,
    SYMBOL,
    END
}
