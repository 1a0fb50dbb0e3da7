package warm;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;

/** javac in memory: sources come as bytes, class files are dropped, jars of the class path stay open. */
final class Compiler {
    /** Where the sources are, as far as javac can tell. */
    static final String FOLDER = "sources/";

    private static final List<String> OPTIONS = options(System.getProperty("warm.release"));

    private final JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
    private final JavaFileManager files;

    Compiler(String[] classPath) throws IOException {
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
        sources.forEach((name, text) -> units.add(new Source(FOLDER + name, text)));
        try {
            javac.getTask(out, files, null, OPTIONS, null, units).call();
        } catch (RuntimeException | StackOverflowError failure) {
            PrintWriter writer = new PrintWriter(out, true);
            writer.println("An exception has occurred in the compiler");
            failure.printStackTrace(writer);
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
