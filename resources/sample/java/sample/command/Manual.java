package sample.command;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The manual page that lies in the jar. */
final class Manual {
    String text() {
        try (InputStream stream = Manual.class.getResourceAsStream("manual.txt")) {
            return stream == null ? "" : new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
    }
}
