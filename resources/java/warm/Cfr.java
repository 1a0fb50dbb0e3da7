package warm;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.benf.cfr.reader.api.CfrDriver;
import org.benf.cfr.reader.api.ClassFileSource;
import org.benf.cfr.reader.api.OutputSinkFactory;
import org.benf.cfr.reader.api.SinkReturns;
import org.benf.cfr.reader.bytecode.analysis.parse.utils.Pair;
import org.benf.cfr.reader.state.ClassFileSourceImpl;
import org.benf.cfr.reader.util.getopt.OptionsImpl;

/**
 * {@code cfr JAR --outputdir SOURCES --caseinsensitivefs true --silent true --extraclasspath CLASSPATH}.
 *
 * <p>Old versions sort the lists that they get.
 */
final class Cfr implements Decompiler {
    private static final String SUFFIX = ".class";
    private static final byte[] ABSENT = new byte[0];

    private final Map<String, String> options;
    private final ClassFileSourceImpl library;
    private final Map<String, byte[]> known = new HashMap<>();

    Cfr(String[] classPath) {
        options = new HashMap<>(Map.of("caseinsensitivefs", "true", "silent", "true"));
        if (classPath.length > 0) {
            options.put("extraclasspath", String.join(File.pathSeparator, classPath));
        }
        library = new ClassFileSourceImpl(new OptionsImpl(options));
        library.informAnalysisRelativePathDetail(null, null);
    }

    @Override
    public void decompile(Path jar, Map<String, byte[]> sources) {
        new CfrDriver.Builder().withOptions(options).withOutputSink(sinks(sources)).build()
                .analyse(Arrays.asList(jar.toString()));
    }

    /**
     * CFR takes a class with a dollar sign in its name for a nested one until it has read the class, so its name in
     * another class's source depends on which of both comes first. So does the first argument of a constructor, if it is
     * the object around the new one: CFR leaves it out once it has decompiled the class of that object.
     */
    @Override
    public boolean takesOneByOne(Candidate candidate) {
        for (String name : candidate.names()) {
            boolean taken = name.indexOf('$') >= 0 && !name.endsWith("$");
            if (taken != candidate.isNested(name) || candidate.makesInnerOfOthers(name)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void decompileOne(String name, View view, Map<String, byte[]> sources) {
        ClassFileSource source = new ClassFileSource() {
            @Override
            public void informAnalysisRelativePathDetail(String usePath, String classFilePath) {}

            @Override
            public Collection<String> addJar(String jarPath) {
                return Arrays.asList(name + SUFFIX);
            }

            @Override
            public String getPossiblyRenamedPath(String path) {
                return path;
            }

            @Override
            public Pair<byte[], String> getClassFileContent(String path) throws IOException {
                String asked = path.endsWith(SUFFIX) ? path.substring(0, path.length() - SUFFIX.length()) : path;
                byte[] bytes = view.bytes(asked);
                return Pair.make(bytes == null ? libraryClass(path) : bytes, path);
            }
        };
        new CfrDriver.Builder().withOptions(options).withClassFileSource(source).withOutputSink(sinks(sources)).build()
                .analyse(Arrays.asList("candidate.jar"));
    }

    /** A class from outside the candidate; the answers are the same for all candidates. */
    private byte[] libraryClass(String path) throws IOException {
        byte[] bytes = known.get(path);
        if (bytes == null) {
            try {
                bytes = library.getClassFileContent(path).getFirst();
            } catch (IOException absent) {
                bytes = ABSENT;
            }
            known.put(path, bytes);
        }
        if (bytes == ABSENT) {
            throw new IOException("No such file " + path);
        }
        return bytes;
    }

    private static OutputSinkFactory sinks(Map<String, byte[]> sources) {
        return new OutputSinkFactory() {
            @Override
            public List<SinkClass> getSupportedSinks(SinkType type, Collection<SinkClass> available) {
                return type == SinkType.JAVA ? List.of(SinkClass.DECOMPILED) : List.of(SinkClass.STRING);
            }

            @Override
            public <T> Sink<T> getSink(SinkType type, SinkClass form) {
                if (type != SinkType.JAVA) {
                    return ignored -> {};
                }
                return written -> {
                    SinkReturns.Decompiled text = (SinkReturns.Decompiled) written;
                    String folder = text.getPackageName().replace('.', '/');
                    String name = (folder.isEmpty() ? "" : folder + "/") + text.getClassName() + ".java";
                    sources.put(name, text.getJava().getBytes(StandardCharsets.UTF_8));
                };
            }
        };
    }
}
