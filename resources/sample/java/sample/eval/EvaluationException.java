package sample.eval;

/** An expression that has no value. */
public final class EvaluationException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    EvaluationException(String message) {
        super(message);
    }
}
