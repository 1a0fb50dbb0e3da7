package warm;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.SynchronousQueue;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Decompiles and compiles one jar after another until standard input ends.
 *
 * <p>Request: a 4-byte length, then that many bytes of a jar. Answer: a 4-byte length, then microseconds of
 * decompiling (8 bytes), of compiling (8), bytes of heap in use (8), number of sources (4), and texts, each a 4-byte
 * length and UTF-8: what javac says, after the stack trace of a decompiler that gave up, what the decompiler says, and
 * for each source in which javac found errors its path, as javac names it, and its text. Numbers are big-endian.
 *
 * <p>Arguments: the class of the {@link Decompiler}, {@code reuse} or {@code whole} (see {@link Reuse}), then the class
 * path of the input, jar by jar. The working directory is the host's own and takes the candidates.
 */
public final class Host {
    private static final int SHOWN = 4000;
    /** Collecting garbage takes time: it is done when the heap looks fuller than this share of its limit. */
    private static final double FULL = 0.5;

    private Host() {}

    public static void main(String[] arguments) throws Exception {
        DataOutputStream answers = new DataOutputStream(new FileOutputStream(FileDescriptor.out));
        Log log = new Log();
        PrintStream quiet = new PrintStream(log, true, StandardCharsets.UTF_8);
        System.setOut(quiet);
        System.setErr(quiet);
        String[] classPath = Arrays.copyOfRange(arguments, 2, arguments.length);
        Decompiler decompiler = (Decompiler) Class.forName("warm." + arguments[0])
                .getDeclaredConstructor(String[].class).newInstance((Object) classPath);
        Reuse reuse = arguments[1].equals("reuse") ? new Reuse(decompiler) : null;
        Compiler compiler = new Compiler(classPath);
        SynchronousQueue<byte[]> requests = new SynchronousQueue<>();
        Thread reader = new Thread(() -> read(requests), "requests");
        reader.setDaemon(true);
        reader.start();
        for (int number = 1; ; number++) {
            byte[] request = requests.take();
            log.clear();
            // A name of its own each time: the zip library remembers files by name and time.
            Path file = Path.of("candidate-" + number + ".jar");
            long start = System.nanoTime();
            Map<String, byte[]> sources = new TreeMap<>();
            Candidate candidate = new Candidate(request);
            boolean plain = reuse != null && candidate.plain();
            StringWriter said = new StringWriter();
            if (!plain || !reuse.decompile(candidate, sources)) {
                decompile(request, file, decompiler, plain, sources, said);
            }
            tellLacking(candidate, sources, said);
            byte[] answer = answer(start, sources, compiler, said, log);
            answers.writeInt(answer.length);
            answers.write(answer);
            answers.flush();
        }
    }

    /** Whoever asks is gone when the input ends, so the process ends at once, whatever it is doing. */
    private static void read(SynchronousQueue<byte[]> requests) {
        try (InputStream raw = new FileInputStream(FileDescriptor.in)) {
            DataInputStream input = new DataInputStream(raw);
            while (true) {
                byte[] request = new byte[input.readInt()];
                input.readFully(request);
                requests.put(request);
            }
        } catch (IOException | InterruptedException end) {
            cleanUp();
            Runtime.getRuntime().halt(0);
        }
    }

    private static void cleanUp() {
        File folder = new File("").getAbsoluteFile();
        File[] files = folder.listFiles();
        for (File file : files == null ? new File[0] : files) {
            if (file.getName().startsWith("candidate-")) {
                file.delete();
            }
        }
        folder.delete(); // only if it is empty
    }

    private static void decompile(
            byte[] jar, Path file, Decompiler decompiler, boolean plain, Map<String, byte[]> sources, StringWriter said)
            throws IOException {
        Files.write(file, jar);
        try {
            if (plain) {
                decompiler.decompilePlain(file, sources);
            } else {
                decompiler.decompile(file, sources);
            }
        } catch (Exception | StackOverflowError | LinkageError | AssertionError failure) {
            // As on the command line: what was written until then is compiled.
            failure.printStackTrace(new PrintWriter(said, true));
        } finally {
            Files.deleteIfExists(file);
        }
    }

    /** As core/predicate/output/no_source.py does for a cold run. */
    private static void tellLacking(Candidate candidate, Map<String, byte[]> sources, StringWriter said) {
        Set<String> names = candidate.names().stream().map(Host::inPackage).collect(Collectors.toSet());
        Set<String> written = sources.keySet().stream().flatMap(Host::ends).collect(Collectors.toSet());
        Map<String, Long> alike = names.stream()
                .collect(Collectors.groupingBy(name -> name.toLowerCase(Locale.ROOT), Collectors.counting()));
        for (String name : new TreeSet<>(names)) {
            boolean own = alike.get(name.toLowerCase(Locale.ROOT)) == 1 && name.indexOf('$') < 0 && !name.startsWith("WEB-INF/") && !name.startsWith("BOOT-INF/")
                    && !name.endsWith("module-info") && !name.endsWith("package-info");
            if (own && !written.contains(name + ".java")) {
                said.append("no source for ").append(name.replace('/', '.')).append('\n');
            }
        }
    }

    private static String inPackage(String name) {
        for (String root : List.of("WEB-INF/classes/", "BOOT-INF/classes/")) {
            if (name.startsWith(root)) {
                return name.substring(root.length());
            }
        }
        return name;
    }

    /** The path and the rest of it after each folder. */
    private static Stream<String> ends(String path) {
        return Stream.iterate(path, Objects::nonNull, rest -> {
            int folder = rest.indexOf('/');
            return folder < 0 ? null : rest.substring(folder + 1);
        });
    }

    private static byte[] answer(
            long start, Map<String, byte[]> sources, Compiler compiler, StringWriter said, Log log) throws IOException {
        sources.keySet().removeIf(name -> name.endsWith("module-info.java") || name.endsWith("package-info.java"));
        long decompiled = System.nanoTime();
        if (!sources.isEmpty()) {
            try (PrintWriter writer = new PrintWriter(said)) {
                compiler.compile(sources, writer);
            }
        }
        long compiled = System.nanoTime();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream answer = new DataOutputStream(bytes);
        answer.writeLong((decompiled - start) / 1000);
        answer.writeLong((compiled - decompiled) / 1000);
        answer.writeLong(used());
        answer.writeInt(sources.size());
        write(answer, said.toString().getBytes(StandardCharsets.UTF_8));
        write(answer, log.text().getBytes(StandardCharsets.UTF_8));
        Set<String> failing = said.toString().lines().filter(line -> line.startsWith(Compiler.FOLDER))
                .map(line -> line.substring(Compiler.FOLDER.length(), Math.max(Compiler.FOLDER.length(), line.indexOf(':'))))
                .collect(Collectors.toSet());
        failing.retainAll(sources.keySet());
        for (String name : failing) {
            write(answer, (Compiler.FOLDER + name).getBytes(StandardCharsets.UTF_8));
            write(answer, sources.get(name));
        }
        return bytes.toByteArray();
    }

    private static void write(DataOutputStream answer, byte[] text) throws IOException {
        answer.writeInt(text.length);
        answer.write(text);
    }

    private static long used() {
        Runtime runtime = Runtime.getRuntime();
        if (runtime.totalMemory() - runtime.freeMemory() > FULL * runtime.maxMemory()) {
            System.gc();
        }
        return runtime.totalMemory() - runtime.freeMemory();
    }

    /** The beginning of what is printed; the rest is dropped, since a decompiler may print megabytes. */
    private static final class Log extends OutputStream {
        private final ByteArrayOutputStream kept = new ByteArrayOutputStream();

        @Override
        public synchronized void write(int value) {
            if (kept.size() < SHOWN) {
                kept.write(value);
            }
        }

        @Override
        public synchronized void write(byte[] bytes, int offset, int length) {
            kept.write(bytes, offset, Math.min(length, Math.max(0, SHOWN - kept.size())));
        }

        synchronized void clear() {
            kept.reset();
        }

        synchronized String text() {
            return kept.toString(StandardCharsets.UTF_8);
        }
    }
}
