package warm;

import com.sun.source.tree.BlockTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.LambdaExpressionTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.TryTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.StringWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;

/**
 * Compiles small sources: javac in memory, or ECJ.
 *
 * <p>Arguments: {@code ecj} or {@code javac}, the class path of the sources, the options, and the sources (path and text).
 * A list is a number and its parts. ECJ is found on the class path of the process. Prints a JSON object: {@code classes}
 * has the class files by name, as base64, if there are no {@code errors}. These are read by Complaint in
 * core/recompile/compiler.py.
 */
public final class Recompile {
    private static final List<String> NAMES =
            List.of("begin", "point", "end", "body", "body_end", "attempt", "statement", "statement_end");
    private static final String ECJ = "org.eclipse.jdt.internal.compiler.tool.EclipseCompiler";

    private Recompile() {}

    public static void main(String[] arguments) throws Exception {
        PrintStream out = System.out;
        PrintStream err = System.err;
        System.setOut(new PrintStream(OutputStream.nullOutputStream()));
        System.setErr(System.out);
        String answer;
        try {
            answer = answer(List.of(arguments).iterator());
        } finally {
            System.setOut(out);
            System.setErr(err);
        }
        out.print(answer);
    }

    private static String answer(Iterator<String> request) throws Exception {
        boolean ecj = request.next().equals("ecj");
        List<File> library = new ArrayList<>();
        list(request).stream().map(File::new).forEach(library::add);
        List<String> options = list(request);
        Map<String, Source> sources = new LinkedHashMap<>();
        while (request.hasNext()) {
            String path = request.next();
            sources.put(path, new Source(path, request.next()));
        }
        DiagnosticCollector<JavaFileObject> said = new DiagnosticCollector<>();
        List<Error> errors = new ArrayList<>();
        Map<String, byte[]> classes = new TreeMap<>();
        Path place = Files.createTempDirectory("jarlet-recompile-");
        try {
            JavaCompiler compiler = ecj
                    ? (JavaCompiler) Class.forName(ECJ).getDeclaredConstructor().newInstance()
                    : ToolProvider.getSystemJavaCompiler();
            try (StandardJavaFileManager standard =
                    compiler.getStandardFileManager(said, Locale.ENGLISH, StandardCharsets.UTF_8)) {
                standard.setLocation(StandardLocation.CLASS_PATH, library);
                Memory files = new Memory(standard);
                JavaCompiler.CompilationTask task =
                        compiler.getTask(new StringWriter(), files, said, options, null,
                                ecj ? written(sources.values(), place, standard) : sources.values());
                if (task instanceof JavacTask) {
                    compile((JavacTask) task, said, errors);
                } else {
                    task.call();
                    said.getDiagnostics().stream().filter(Recompile::isError).map(Error::new).forEach(errors::add);
                }
                files.made.forEach((name, made) -> classes.put(name, made.toByteArray()));
            }
        } catch (ReflectiveOperationException | RuntimeException | LinkageError | StackOverflowError
                | AssertionError failure) {
            errors.add(new Error("crash", failure.toString()));
        } finally {
            remove(place.toFile());
        }
        String made = classes.entrySet().stream()
                .filter(each -> errors.isEmpty())
                .map(each -> quoted(each.getKey()) + ":" + quoted(Base64.getEncoder().encodeToString(each.getValue())))
                .collect(Collectors.joining(","));
        return "{\"classes\":{" + made + "},\"errors\":"
                + errors.stream().map(Error::told).collect(Collectors.toList()) + "}";
    }

    /** Returns a text as JSON has it, in ASCII; what no UTF-8 can say is replaced, as is NUL. */
    private static String quoted(String text) {
        StringBuilder told = new StringBuilder("\"");
        byte[] bytes = text.replace('\0', ' ').getBytes(StandardCharsets.UTF_8);
        for (char sign : new String(bytes, StandardCharsets.UTF_8).toCharArray()) {
            boolean plain = sign >= ' ' && sign < 127 && sign != '"' && sign != '\\';
            told.append(plain ? String.valueOf(sign) : String.format("\\u%04x", (int) sign));
        }
        return told.append('"').toString();
    }

    /** Returns sources as files: ECJ takes no others. */
    private static Iterable<? extends JavaFileObject> written(
            Iterable<Source> sources, Path place, StandardJavaFileManager standard) throws IOException {
        List<File> files = new ArrayList<>();
        for (Source source : sources) {
            Path file = place.resolve(source.name).normalize();
            if (file.startsWith(place)) {
                Files.createDirectories(file.getParent());
                files.add(Files.writeString(file, source.text).toFile());
            }
        }
        return standard.getJavaFileObjectsFromFiles(files);
    }

    private static void remove(File place) {
        File[] inside = place.listFiles();
        for (File each : inside == null ? new File[0] : inside) {
            remove(each);
        }
        place.delete();
    }

    private static void compile(JavacTask task, DiagnosticCollector<JavaFileObject> said, List<Error> errors)
            throws IOException {
        Trees trees = Trees.instance(task);
        List<CompilationUnitTree> units = new ArrayList<>();
        task.parse().forEach(units::add);
        if (said.getDiagnostics().stream().noneMatch(Recompile::isError)) {
            task.analyze();
        }
        if (said.getDiagnostics().stream().noneMatch(Recompile::isError)) {
            task.generate();
        }
        for (Diagnostic<? extends JavaFileObject> each : said.getDiagnostics()) {
            if (isError(each)) {
                Error error = new Error(each);
                units.stream().filter(unit -> unit.getSourceFile() == each.getSource()
                                || unit.getSourceFile().getName().equals(error.path))
                        .findFirst().ifPresent(unit -> error.place(unit, trees.getSourcePositions()));
                errors.add(error);
            }
        }
    }

    private static boolean isError(Diagnostic<?> said) {
        return said.getKind() == Diagnostic.Kind.ERROR;
    }

    private static List<String> list(Iterator<String> from) {
        List<String> found = new ArrayList<>();
        for (int left = Integer.parseInt(from.next()); left > 0; left--) {
            found.add(from.next());
        }
        return found;
    }

    /** An error with its place: begin, point and end of the tree that it is about, and what is around that. */
    private static final class Error {
        private final String code;
        private final String message;
        private final String path;
        private final int[] places = new int[NAMES.size()];
        private boolean declares;
        private final List<List<Integer>> arguments = new ArrayList<>();

        Error(String code, String message) {
            this.code = code;
            this.message = message;
            path = "";
            Arrays.fill(places, -1);
        }

        Error(Diagnostic<? extends JavaFileObject> said) {
            code = String.valueOf(said.getCode());
            message = said.getMessage(Locale.ENGLISH);
            path = said.getSource() == null ? "" : said.getSource().getName();
            Arrays.fill(places, -1);
            places[0] = (int) said.getStartPosition();
            places[1] = (int) said.getPosition();
            places[2] = (int) said.getEndPosition();
        }

        /** Notes the body of the method around it (3, 4), the body of the try statement around it (5), and the statement
         * (6, 7). */
        void place(CompilationUnitTree unit, SourcePositions positions) {
            TreePath[] found = new TreePath[1];
            int at = places[1];
            new TreePathScanner<Void, Void>() {
                @Override
                public Void scan(Tree tree, Void nothing) {
                    if (tree != null && positions.getStartPosition(unit, tree) <= at
                            && at < Math.max(positions.getEndPosition(unit, tree),
                                    positions.getStartPosition(unit, tree) + 1)) {
                        TreePath parent = getCurrentPath();
                        found[0] = parent == null ? new TreePath(unit) : new TreePath(parent, tree);
                    }
                    return super.scan(tree, nothing);
                }
            }.scan(unit, null);
            Tree inner = null;
            boolean known = false;
            for (TreePath each = found[0]; each != null; each = each.getParentPath()) {
                Tree tree = each.getLeaf();
                List<? extends ExpressionTree> given = tree instanceof MethodInvocationTree
                        ? ((MethodInvocationTree) tree).getArguments()
                        : tree instanceof NewClassTree ? ((NewClassTree) tree).getArguments() : null;
                boolean called = tree instanceof MethodInvocationTree
                        && ((MethodInvocationTree) tree).getMethodSelect() == inner;
                if (given != null && !known && (inner == null || called || given.contains(inner))) {
                    known = true;
                    for (ExpressionTree one : given) {
                        arguments.add(List.of((int) positions.getStartPosition(unit, one),
                                (int) positions.getEndPosition(unit, one)));
                    }
                }
                if (tree instanceof TryTree && places[5] < 0) {
                    places[5] = (int) positions.getStartPosition(unit, ((TryTree) tree).getBlock());
                }
                if (tree instanceof BlockTree && inner != null && places[6] < 0) {
                    places[6] = (int) positions.getStartPosition(unit, inner);
                    places[7] = (int) positions.getEndPosition(unit, inner);
                }
                if (tree instanceof LambdaExpressionTree) {
                    break;
                }
                if (tree instanceof MethodTree && ((MethodTree) tree).getBody() != null) {
                    BlockTree body = ((MethodTree) tree).getBody();
                    places[3] = (int) positions.getStartPosition(unit, body);
                    places[4] = (int) positions.getEndPosition(unit, body);
                    declares = !((MethodTree) tree).getThrows().isEmpty();
                    break;
                }
                inner = given != null && inner == null ? null : tree;
            }
        }

        /** Returns the error as JSON. */
        String told() {
            StringBuilder numbers = new StringBuilder();
            for (int place = 0; place < places.length; place++) {
                numbers.append(quoted(NAMES.get(place))).append(':').append(places[place]).append(',');
            }
            return "{\"code\":" + quoted(code) + ",\"message\":" + quoted(message) + ",\"path\":" + quoted(path) + ","
                    + numbers + "\"throws\":" + declares + ",\"arguments\":" + arguments + "}";
        }
    }

    private static final class Source extends SimpleJavaFileObject {
        private final String name;
        private final String text;

        Source(String name, String text) {
            super(URI.create("memory:///" + name.replace(' ', '_')), Kind.SOURCE);
            this.name = name;
            this.text = text;
        }

        @Override
        public String getName() {
            return name;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    private static final class Memory extends ForwardingJavaFileManager<StandardJavaFileManager> {
        private final Map<String, ByteArrayOutputStream> made = new TreeMap<>();

        Memory(StandardJavaFileManager standard) {
            super(standard);
        }

        @Override
        public JavaFileObject getJavaFileForOutput(
                Location location, String name, JavaFileObject.Kind kind, FileObject sibling) {
            String file = name.replace('.', '/');
            return new SimpleJavaFileObject(URI.create("memory:///" + Integer.toHexString(file.hashCode())), kind) {
                @Override
                public OutputStream openOutputStream() {
                    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                    made.put(file, bytes);
                    return bytes;
                }
            };
        }

        @Override
        public String inferBinaryName(Location location, JavaFileObject file) {
            return file instanceof Source ? null : super.inferBinaryName(location, file);
        }

        @Override
        public boolean isSameFile(FileObject one, FileObject other) {
            boolean ours = one instanceof SimpleJavaFileObject || other instanceof SimpleJavaFileObject;
            return ours ? one == other : super.isSameFile(one, other);
        }
    }
}
