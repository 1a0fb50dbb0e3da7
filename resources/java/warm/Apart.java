package warm;

import java.io.File;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Compiles each source on its own; those that do not compile are left out.
 *
 * <p>{@code java -cp FOLDER warm.Apart SOURCES COMPILED CLASSPATH}: the classes of the source {@code SOURCES/a/B.java} go to
 * the folder {@code COMPILED/a.B}. If the file {@code wanted.txt} blames some sources, only these are compiled.
 */
public final class Apart {
    private Apart() {}

    public static void main(String[] arguments) throws IOException {
        Path sources = Path.of(arguments[0]);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
            for (Path file : files(sources)) {
                String name = sources.relativize(file).toString().replace(File.separatorChar, '.').replaceAll("[.]java$", "");
                Path folder = Files.createDirectories(Path.of(arguments[1], name));
                List<String> options = List.of(
                        "-proc:none", "-nowarn", "-implicit:none", "-sourcepath", folder.toString(), "-cp", arguments[2],
                        "-d", folder.toString());
                boolean well;
                try {
                    well = compiler.getTask(
                            Writer.nullWriter(), manager, ignored -> {}, options, null,
                            manager.getJavaFileObjects(file)).call();
                } catch (RuntimeException crash) {
                    well = false;
                }
                if (!well) remove(folder);
            }
        }
    }

    private static List<Path> files(Path sources) throws IOException {
        List<Path> blamed = blamed().stream().map(name -> sources.resolve(name + ".java"))
                .filter(Files::isRegularFile).collect(Collectors.toList());
        if (!blamed.isEmpty() || !Files.isDirectory(sources)) return blamed;
        try (Stream<Path> all = Files.walk(sources)) {
            return all.filter(file -> file.toString().endsWith(".java")).sorted().collect(Collectors.toList());
        }
    }

    /** Returns the outermost classes, by internal names, whose sources were to blame for the failures of the full input. */
    static Set<String> blamed() throws IOException {
        Path wanted = Path.of("wanted.txt");
        if (!Files.exists(wanted)) return Set.of();
        try (Stream<String> lines = Files.lines(wanted)) {
            return lines.filter(line -> line.startsWith(Both.BLAMED))
                    .map(line -> line.substring(Both.BLAMED.length()).split(": ")[0].replace('.', '/'))
                    .flatMap(names -> Stream.of(names.split(", "))).collect(Collectors.toCollection(TreeSet::new));
        }
    }

    private static void remove(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).collect(Collectors.toList())) Files.delete(each);
        }
    }
}
