package warm;

import com.sun.source.util.JavacTask;
import com.sun.tools.javac.api.ClientCodeWrapper.DiagnosticSourceUnwrapper;
import com.sun.tools.javac.api.JavacTaskImpl;
import com.sun.tools.javac.api.JavacTaskPool;
import com.sun.tools.javac.main.Main.Result;
import com.sun.tools.javac.util.Context;
import com.sun.tools.javac.util.Log;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticListener;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;

/**
 * javac in memory: sources come as bytes, class files are dropped, jars of the class path stay open, and what javac
 * knows of the JDK and the class path stays from call to call. A package that once had sources is there for good, so
 * all is forgotten when one has none any more, and when javac broke down.
 */
final class Compiler {
    /** Where the sources are, as far as javac can tell. */
    static final String FOLDER = "sources/";

    private static final List<String> OPTIONS = options(System.getProperty("warm.release"));

    private static final Pattern PACKAGE = Pattern.compile("^\\s*package\\s+([^;]+)", Pattern.MULTILINE);

    private final JavaFileManager files;
    private JavacTaskPool pool = new JavacTaskPool(1);
    private Set<String> packages = Set.of();

    Compiler(String[] classPath) throws IOException {
        JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
        StandardJavaFileManager standard = javac.getStandardFileManager(null, Locale.ENGLISH, StandardCharsets.UTF_8);
        List<File> jars = new ArrayList<>();
        for (String jar : classPath) {
            jars.add(new File(jar));
        }
        standard.setLocation(StandardLocation.CLASS_PATH, jars);
        files = new Memory(standard);
    }

    private static List<String> options(String release) {
        List<String> found = new ArrayList<>(
                List.of("-proc:none", "-nowarn", "-Xmaxerrs", "100000", "-encoding", "UTF-8"));
        if (release != null) {
            found.addAll(List.of("--release", release));
        }
        return found;
    }

    /** Prints what the command {@code javac} prints, in the same words; the sources are in {@link #FOLDER}. */
    void compile(Map<String, byte[]> sources, Writer out) {
        List<JavaFileObject> units = new ArrayList<>();
        Set<String> now = new HashSet<>();
        sources.forEach((name, text) -> {
            Source unit = new Source(FOLDER + name, text);
            units.add(unit);
            Matcher declared = PACKAGE.matcher(unit.getCharContent(true));
            now.add(declared.find() ? declared.group(1) : "");
        });
        if (!now.containsAll(packages)) {
            pool = new JavacTaskPool(1);
        }
        packages = now;
        Said said = new Said(out);
        try {
            Result result = pool.getTask(out, files, said, OPTIONS, null, units, said::listen);
            said.count();
            if (result == Result.ABNORMAL) {
                pool = new JavacTaskPool(1);
            }
        } catch (RuntimeException | StackOverflowError failure) {
            pool = new JavacTaskPool(1);
            PrintWriter writer = new PrintWriter(out, true);
            writer.println("An exception has occurred in the compiler");
            failure.printStackTrace(writer);
        }
    }

    /** What javac says of one call, printed as the command prints it: a pool wants a listener. */
    private static final class Said implements DiagnosticListener<JavaFileObject> {
        private final PrintWriter out;
        private Context context;
        private int errors;
        private int warnings;

        Said(Writer out) {
            this.out = new PrintWriter(out, true);
        }

        Result listen(JavacTask task) {
            context = ((JavacTaskImpl) task).getContext();
            Log.instance(context).compressedOutput = false; // else it stays from the call before
            return ((JavacTaskImpl) task).doCall();
        }

        @Override
        public void report(Diagnostic<? extends JavaFileObject> one) {
            Log log = Log.instance(context);
            String text = log.getDiagnosticFormatter().format(((DiagnosticSourceUnwrapper) one).d, null);
            out.println(text.endsWith("\n") ? text.substring(0, text.length() - 1) : text);
            errors += one.getKind() == Diagnostic.Kind.ERROR ? 1 : 0;
            boolean warns = one.getKind() == Diagnostic.Kind.WARNING
                    || one.getKind() == Diagnostic.Kind.MANDATORY_WARNING;
            warnings += warns ? 1 : 0;
        }

        void count() {
            print(errors, "error");
            print(warnings, "warning");
        }

        private void print(int count, String word) {
            if (count > 0) {
                out.println(count + " " + word + (count > 1 ? "s" : ""));
            }
        }
    }

    private static final class Source extends SimpleJavaFileObject {
        private final String name;
        private final byte[] bytes;
        private String text;

        Source(String name, byte[] bytes) {
            super(uri(name), Kind.SOURCE);
            this.name = name;
            this.bytes = bytes;
        }

        private static URI uri(String name) {
            try {
                return new URI("memory", null, "/" + name, null);
            } catch (URISyntaxException impossible) {
                throw new IllegalArgumentException(name, impossible);
            }
        }

        @Override
        public String getName() {
            return name;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            if (text == null) {
                text = new String(bytes, StandardCharsets.UTF_8);
            }
            return text;
        }
    }

    private static final class Memory extends ForwardingJavaFileManager<StandardJavaFileManager> {
        Memory(StandardJavaFileManager standard) {
            super(standard);
        }

        @Override
        public JavaFileObject getJavaFileForOutput(
                Location location, String name, JavaFileObject.Kind kind, FileObject sibling) {
            return new SimpleJavaFileObject(URI.create("memory:///" + Integer.toHexString(name.hashCode())), kind) {
                @Override
                public OutputStream openOutputStream() {
                    return OutputStream.nullOutputStream();
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
