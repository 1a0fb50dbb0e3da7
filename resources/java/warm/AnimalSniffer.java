package warm;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.codehaus.mojo.animal_sniffer.ClassListBuilder;
import org.codehaus.mojo.animal_sniffer.SignatureBuilder;
import org.codehaus.mojo.animal_sniffer.SignatureChecker;
import org.codehaus.mojo.animal_sniffer.logging.Logger;
import org.codehaus.mojo.animal_sniffer.logging.PrintWriterLogger;

/**
 * Checks a jar against a signature with Animal Sniffer, whose own main methods read fixed files.
 *
 * <p>{@code java -cp FOLDER:SNIFFER warm.AnimalSniffer SIGNATURE JAR [LIBRARY...]}; {@code jdk} in place of a signature is
 * that of the public packages of the running JDK. Exit code 1 if something is not in the signature.
 */
public final class AnimalSniffer {
    private static final Logger SAY = new PrintWriterLogger(System.err);

    private AnimalSniffer() {}

    public static void main(String[] arguments) throws IOException {
        Path given = Path.of(arguments[0]);
        byte[] signature = arguments[0].equals("jdk") ? Jdk.signature() : Files.readAllBytes(given);
        ClassListBuilder own = new ClassListBuilder(SAY);
        for (String place : List.of(arguments).subList(1, arguments.length)) own.process(new File(place));
        Set<String> left = new HashSet<>(own.getPackages());
        SignatureChecker checker = new SignatureChecker(new ByteArrayInputStream(signature), left, SAY);
        checker.setSourcePath(List.of());
        checker.process(new File(arguments[1]));
        System.exit(checker.isSignatureBroken() ? 1 : 0);
    }

    /** The JDK's classes, as Animal Sniffer writes them. */
    private static final class Jdk extends SignatureBuilder {
        private Jdk(OutputStream out) throws IOException {
            super(out, SAY);
        }

        private static byte[] signature() throws IOException {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            Jdk builder = new Jdk(out);
            try (Stream<Path> files = Files.walk(FileSystems.getFileSystem(URI.create("jrt:/")).getPath("/modules"))) {
                for (Path file : (Iterable<Path>) files::iterator) builder.add(file);
            }
            builder.close();
            return out.toByteArray();
        }

        private void add(Path file) throws IOException {
            String name = file.toString();
            if (name.matches("/modules/[^/]+/(?:javax?|org)/.*\\.class")) {
                try (InputStream in = Files.newInputStream(file)) {
                    process(name, in);
                }
            }
        }
    }
}
