package warm;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * Decompiles a jar to a folder, and compiles the sources in memory. In a resident process it keeps, from one jar to the
 * next, what these have in common.
 *
 * <p>Arguments: the class of the {@link Decompiler}, {@code reuse} or {@code whole} (see {@link Reuse}), the class path of
 * the input, jar by jar, then the jar and the folder, which alone change from run to run. Prints on standard error what
 * javac says, after the stack trace of a decompiler that gave up; what the decompiler itself prints is dropped.
 */
public final class Adapted {
    private static Adapted first;

    private final Decompiler decompiler;
    private final Reuse reuse;
    private final Compiler compiler;

    private Adapted(String decompiler, String mode, String[] classPath)
            throws ReflectiveOperationException, IOException {
        this.decompiler = Cold.decompiler(decompiler, classPath);
        reuse = mode.equals("reuse") ? new Reuse(this.decompiler) : null;
        compiler = new Compiler(classPath);
    }

    public static void main(String[] arguments) throws Exception {
        PrintStream out = System.out;
        PrintStream err = System.err;
        PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream());
        System.setOut(nowhere);
        System.setErr(nowhere);
        String said;
        int jar = arguments.length - 2;
        try {
            if (first == null) {
                first = new Adapted(arguments[0], arguments[1], Arrays.copyOfRange(arguments, 2, jar));
            }
            said = first.run(Path.of(arguments[jar]), Path.of(arguments[jar + 1]));
        } finally {
            System.setOut(out);
            System.setErr(err);
        }
        err.write(said.getBytes(StandardCharsets.UTF_8));
    }

    private String run(Path jar, Path folder) throws IOException {
        Map<String, byte[]> sources = new TreeMap<>();
        StringWriter said = new StringWriter();
        Candidate candidate = new Candidate(Files.readAllBytes(jar));
        boolean plain = reuse != null && candidate.plain();
        if (!plain || !reuse.decompile(candidate, sources)) {
            decompile(jar, plain, sources, said);
        }
        Cold.write(sources, folder);
        sources.keySet().removeIf(name -> name.endsWith("module-info.java") || name.endsWith("package-info.java"));
        if (!sources.isEmpty()) {
            compiler.compile(sources, said);
        }
        return said.toString();
    }

    private void decompile(Path jar, boolean plain, Map<String, byte[]> sources, StringWriter said) {
        try {
            if (plain) {
                decompiler.decompilePlain(jar, sources);
            } else {
                decompiler.decompile(jar, sources);
            }
        } catch (Exception | StackOverflowError | LinkageError | AssertionError failure) {
            // As on the command line: what was written until then is compiled.
            failure.printStackTrace(new PrintWriter(said, true));
        }
    }
}
