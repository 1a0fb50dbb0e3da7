package evidence;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.jacoco.core.analysis.Analyzer;
import org.jacoco.core.analysis.IClassCoverage;
import org.jacoco.core.analysis.ICounter;
import org.jacoco.core.analysis.IMethodCoverage;
import org.jacoco.core.data.ExecutionDataReader;
import org.jacoco.core.data.ExecutionDataStore;
import org.jacoco.core.data.SessionInfoStore;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * What ran, as JaCoCo recorded it. Arguments: the execution data, the file to write, the jars with the very class files.
 *
 * <p>A line {@code C class} for each class that ran, and below it {@code M name descriptor instructions missed}: how
 * many of a method's instructions ran, and the offsets of those that did not, as spans {@code from-to} by commas
 * ({@code -} for none; {@code to} is behind the last one). A line {@code U class} for a class that has a record which
 * JaCoCo cannot read: it stumbles over the class, or that was changed before it ran. Classes in jars inside count too.
 */
public final class Coverage {
    private final ExecutionDataStore ran = new ExecutionDataStore();
    private final Map<String, Set<Integer>> offsets = new HashMap<>();
    private final Set<String> told = new HashSet<>();
    /** Whether a compiler made it, by name of a class with a record. */
    private final Map<String, Boolean> recorded = new TreeMap<>();
    private final PrintStream out;
    private final Analyzer analyzer = new Analyzer(ran, this::tell);

    private Coverage(PrintStream out) {
        this.out = out;
    }

    public static void main(String[] words) throws IOException {
        try (PrintStream out = new PrintStream(new FileOutputStream(words[1]), false, "UTF-8")) {
            Coverage coverage = new Coverage(out);
            try (InputStream in = new FileInputStream(words[0])) {
                ExecutionDataReader reader = new ExecutionDataReader(in);
                reader.setExecutionDataVisitor(coverage.ran);
                reader.setSessionInfoVisitor(new SessionInfoStore());
                reader.read();
            } catch (IOException cut) {
                // a program that was killed while it wrote: what was read counts
            }
            for (String jar : Arrays.asList(words).subList(2, words.length)) {
                try (InputStream in = new BufferedInputStream(new FileInputStream(jar))) {
                    coverage.read(in);
                }
            }
            coverage.recorded.forEach((name, made) -> { // JaCoCo passes over what a compiler made
                if (!coverage.told.contains(name)) {
                    out.println((made ? "C " : "U ") + name);
                }
            });
        }
    }

    private void read(InputStream in) throws IOException {
        ZipInputStream jar = new ZipInputStream(in);
        for (ZipEntry entry = jar.getNextEntry(); entry != null; entry = jar.getNextEntry()) {
            String name = entry.getName();
            try {
                if (name.toLowerCase(Locale.ROOT).matches(".*\\.[jwe]ar")) {
                    read(jar);
                } else if (name.endsWith(".class")) {
                    analyse(bytes(jar), name);
                }
            } catch (IOException | RuntimeException unreadable) {
                // no jar, or no class file that ASM or JaCoCo understands: what has a record is told at the end
            }
        }
    }

    private void analyse(byte[] data, String entry) throws IOException {
        ClassReader reader = new ClassReader(Versions.readable(data));
        if (ran.contains(reader.getClassName())) {
            recorded.put(reader.getClassName(), (reader.getAccess() & Opcodes.ACC_SYNTHETIC) != 0);
        }
        byte[] numbered = Lines.numbered(data); // as it ran: see there
        offsets.clear();
        if (numbered != null) {
            new ClassReader(numbered).accept(new Starts(offsets), ClassReader.SKIP_FRAMES);
        }
        analyzer.analyzeClass(numbered == null ? data : numbered, entry);
    }

    private void tell(IClassCoverage found) {
        if (ran.get(found.getId()) == null) {
            return;
        }
        told.add(found.getName());
        out.println("C " + found.getName());
        for (IMethodCoverage method : found.getMethods()) {
            Set<Integer> lines = offsets.getOrDefault(method.getName() + method.getDesc(), Collections.emptySet());
            StringBuilder missed = new StringBuilder();
            int start = 0; // of the span that is open, 0 = none; lines begin with 1
            for (int line = method.getFirstLine(); line > 0 && line <= method.getLastLine(); line++) {
                int status = method.getLine(line).getStatus();
                if (status == ICounter.NOT_COVERED && start == 0) {
                    start = line;
                } else if (status != ICounter.NOT_COVERED && start > 0 && lines.contains(line)) {
                    // JaCoCo says nothing of some instructions (filters): these may have run
                    span(missed, start, line);
                    start = 0;
                }
            }
            if (start > 0) {
                span(missed, start, method.getLastLine() + 1);
            }
            int count = method.getInstructionCounter().getCoveredCount();
            String spans = missed.length() > 0 ? missed.toString() : "-";
            out.println("M " + method.getName() + " " + method.getDesc() + " " + count + " " + spans);
        }
    }

    private static void span(StringBuilder missed, int first, int end) {
        missed.append(missed.length() > 0 ? "," : "").append(first - 1).append("-").append(end - 1);
    }

    /** Notes the lines of each method: one for each instruction. */
    private static final class Starts extends ClassVisitor {
        private final Map<String, Set<Integer>> lines;

        Starts(Map<String, Set<Integer>> lines) {
            super(Opcodes.ASM9);
            this.lines = lines;
        }

        @Override
        public MethodVisitor visitMethod(int access, String name, String type, String sign, String[] thrown) {
            Set<Integer> found = lines.computeIfAbsent(name + type, key -> new HashSet<>());
            return new MethodVisitor(Opcodes.ASM9) {
                @Override
                public void visitLineNumber(int line, Label start) {
                    found.add(line);
                }
            };
        }
    }

    private static byte[] bytes(InputStream in) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        byte[] buffer = new byte[1 << 14];
        for (int size = in.read(buffer); size >= 0; size = in.read(buffer)) {
            out.write(buffer, 0, size);
        }
        return out.toByteArray();
    }
}
