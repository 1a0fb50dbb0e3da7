package warm;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * Leaves to a decompiler only the classes of the sources to blame, where {@code wanted.txt} blames some.
 *
 * <p>{@code java -cp FOLDER warm.Part JAR CLASSES WHOLE}: {@code JAR} is copied to {@code WHOLE}, and then it and the folder
 * {@code CLASSES}, if that is there, lose the other classes. They keep all where classes do not agree how they are nested,
 * or have names that differ in case only: there a class by itself may have another source than among the others.
 */
public final class Part {
    private static final String SUFFIX = ".class";

    private Part() {}

    public static void main(String[] arguments) throws IOException {
        Path jar = Path.of(arguments[0]), classes = Path.of(arguments[1]);
        Files.copy(jar, Path.of(arguments[2]), StandardCopyOption.REPLACE_EXISTING);
        Set<String> blamed = Apart.blamed();
        if (blamed.isEmpty()) return;
        Candidate candidate = new Candidate(Files.readAllBytes(jar));
        Set<String> left = new TreeSet<>(candidate.names());
        left.removeIf(name -> !blamed.contains(name.split("[$]")[0]) && !blamed.contains(candidate.outermost(name)));
        if (left.isEmpty() || !candidate.plain() || !candidate.nestingAgrees()) return;
        try (ZipOutputStream made = new ZipOutputStream(Files.newOutputStream(jar))) {
            for (String name : left) {
                made.putNextEntry(new ZipEntry(name + SUFFIX));
                made.write(candidate.bytes(name));
            }
        }
        if (!Files.isDirectory(classes)) return;
        try (Stream<Path> all = Files.walk(classes)) {
            for (Path file : all.filter(Files::isRegularFile).collect(Collectors.toList())) {
                String name = classes.relativize(file).toString().replace(File.separatorChar, '/');
                if (!name.endsWith(SUFFIX) || !left.contains(name.substring(0, name.length() - SUFFIX.length()))) {
                    Files.delete(file);
                }
            }
        }
    }
}
