package sample.text;

/** A character that begins no token. */
public final class ScanException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ScanException(Scanner scanner, String message) {
        super(message + " at " + scanner.position());
    }
}
