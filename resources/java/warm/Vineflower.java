package warm;

import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Constructor;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.jetbrains.java.decompiler.main.Fernflower;
import org.jetbrains.java.decompiler.main.decompiler.PrintStreamLogger;
import org.jetbrains.java.decompiler.main.extern.IContextSource;
import org.jetbrains.java.decompiler.main.extern.IResultSaver;
import org.jetbrains.java.decompiler.struct.StructClass;

/** {@code vineflower --folder -thr=1 -log=ERROR --kt-enable=0 --skip-extra-files=1 -e=LIBRARY... JAR SOURCES}. */
final class Vineflower implements Decompiler {
    private final List<File> libraries = new ArrayList<>();
    private final IContextSource runtime;
    private Outside outside;

    Vineflower(String[] classPath) throws ReflectiveOperationException {
        for (String jar : classPath) {
            libraries.add(new File(jar));
        }
        Class<?> type = Class.forName("org.jetbrains.java.decompiler.util.JrtFinder$JavaRuntimeContextSource");
        Constructor<?> constructor = type.getDeclaredConstructor(File.class);
        constructor.setAccessible(true);
        runtime = new Kept((IContextSource) constructor.newInstance((File) null));
    }

    @Override
    public void decompile(Path jar, Map<String, byte[]> sources) {
        Fernflower engine = engine(sources);
        try {
            engine.addLibrary(runtime); // where the constructor puts it by default: before the others
            libraries.forEach(engine::addLibrary);
            engine.addSource(jar.toFile());
            engine.decompileContext();
        } finally {
            engine.clearContext();
        }
    }

    /** Together, a class is nested if another one says so, whatever its name. */
    @Override
    public boolean takesOneByOne(Candidate candidate) {
        return candidate.names().stream().allMatch(name ->
                candidate.isListed(name) != candidate.outermost(name).equals(name));
    }

    @Override
    public void decompileOne(String name, View view, Map<String, byte[]> sources) {
        if (!view.outermost(name).equals(name)) {
            return; // comes with its outermost class
        }
        Fernflower engine = new Fernflower(new Saver(sources), options(), new PrintStreamLogger(System.out)) {
            @Override
            public String getClassEntryName(StructClass type, String entry) {
                return type.qualifiedName.equals(name) ? super.getClassEntryName(type, entry) : null; // null: not written
            }
        };
        try {
            engine.addLibrary(new Rest(view));
            engine.addLibrary(outside());
            engine.addSource(new Own(name, view));
            engine.decompileContext();
        } finally {
            engine.clearContext();
        }
    }

    private static Fernflower engine(Map<String, byte[]> sources) {
        return new Fernflower(new Saver(sources), options(), new PrintStreamLogger(System.out));
    }

    private static Map<String, Object> options() {
        return new HashMap<>(
                Map.of("thr", "1", "log", "ERROR", "skip-extra-files", "1", "kt-enable", "0", "include-runtime", ""));
    }

    private Outside outside() {
        if (outside == null) {
            outside = new Outside();
            for (IContextSource module : runtime.getEntries().childContexts()) {
                outside.add(module);
            }
            for (File library : libraries) {
                outside.add(library);
            }
        }
        return outside;
    }

    /** A source that is asked for classes by name and lists none. */
    private abstract static class Lazy implements IContextSource {
        @Override
        public String getName() {
            return getClass().getSimpleName();
        }

        @Override
        public boolean isLazy() {
            return true;
        }

        @Override
        public Entries getEntries() {
            return Entries.EMPTY;
        }

        @Override
        public InputStream getInputStream(String resource) throws IOException {
            String name = resource.endsWith(CLASS_SUFFIX)
                    ? resource.substring(0, resource.length() - CLASS_SUFFIX.length()) : resource;
            byte[] bytes = getClassBytes(name);
            return bytes == null ? null : new ByteArrayInputStream(bytes);
        }

        @Override
        public abstract byte[] getClassBytes(String name) throws IOException;
    }

    /** The candidate as a library. */
    private static final class Rest extends Lazy {
        private final View view;

        Rest(View view) {
            this.view = view;
        }

        @Override
        public byte[] getClassBytes(String name) {
            return view.bytes(name);
        }
    }

    /** The runtime and the libraries; the first that has a class wins. */
    private static final class Outside extends Lazy {
        private final Map<String, IContextSource> places = new HashMap<>();
        private final Map<String, byte[]> known = new HashMap<>();

        void add(IContextSource source) {
            for (Entry entry : source.getEntries().classes()) {
                places.putIfAbsent(entry.basePath(), source);
            }
        }

        void add(File jar) {
            try (ZipFile zip = new ZipFile(jar)) {
                for (ZipEntry entry : Collections.list(zip.entries())) {
                    if (entry.getName().endsWith(CLASS_SUFFIX)) {
                        String file = entry.getName();
                        String name = file.substring(0, file.length() - CLASS_SUFFIX.length());
                        if (places.putIfAbsent(name, this) == null) {
                            known.put(name, zip.getInputStream(entry).readAllBytes());
                        }
                    }
                }
            } catch (IOException failure) {
                failure.printStackTrace();
            }
        }

        @Override
        public boolean hasClass(String name) {
            return places.containsKey(name);
        }

        @Override
        public synchronized byte[] getClassBytes(String name) throws IOException {
            byte[] bytes = known.get(name);
            if (bytes == null && places.containsKey(name)) {
                bytes = places.get(name).getClassBytes(name);
                known.put(name, bytes);
            }
            return bytes;
        }
    }

    /**
     * A class with those that are nested in it: what is to be decompiled. Beside these stand the classes that they name,
     * with what is nested there: a nested class of a library is imported by its own name, one of the candidate is not.
     */
    private static final class Own implements IContextSource {
        private final String name;
        private final View view;

        Own(String name, View view) {
            this.name = name;
            this.view = view;
        }

        @Override
        public String getName() {
            return name;
        }

        @Override
        public Entries getEntries() {
            Set<String> classes = family(name);
            for (String each : List.copyOf(classes)) {
                for (String named : Named.in(view.bytes(each))) {
                    String outer = view.outermost(named);
                    if (!classes.contains(outer) && view.bytes(outer) != null) {
                        classes.addAll(family(outer));
                    }
                }
            }
            List<Entry> entries = new ArrayList<>();
            classes.forEach(each -> entries.add(Entry.atBase(each)));
            return new Entries(entries, List.of(), List.of());
        }

        private Set<String> family(String outer) {
            Set<String> classes = new LinkedHashSet<>();
            classes.add(outer);
            classes.addAll(view.nested(outer));
            return classes;
        }

        @Override
        public InputStream getInputStream(String resource) {
            byte[] bytes = view.bytes(resource.substring(0, resource.length() - CLASS_SUFFIX.length()));
            return bytes == null ? null : new ByteArrayInputStream(bytes);
        }

        @Override
        public IOutputSink createOutputSink(IResultSaver saver) {
            return new IOutputSink() {
                @Override
                public void begin() {}

                @Override
                public void acceptClass(String qualifiedName, String file, String content, int[] lines) {
                    saver.saveClassFile("", qualifiedName, file, content, lines);
                }

                @Override
                public void acceptDirectory(String directory) {}

                @Override
                public void acceptOther(String path) {}

                @Override
                public void close() {}
            };
        }
    }

    /** A source that is read once: its list of classes, and each class when it is first asked for. */
    private static final class Kept implements IContextSource {
        private static final byte[] ABSENT = new byte[0];

        private final IContextSource source;
        private final Map<String, byte[]> known = new HashMap<>();
        private Entries entries;

        Kept(IContextSource source) {
            this.source = source;
        }

        @Override
        public String getName() {
            return source.getName();
        }

        @Override
        public synchronized Entries getEntries() {
            if (entries == null) {
                Entries found = source.getEntries();
                List<IContextSource> children = new ArrayList<>();
                found.childContexts().forEach(child -> children.add(new Kept(child)));
                entries = new Entries(found.classes(), found.directories(), found.others(), children);
            }
            return entries;
        }

        @Override
        public synchronized byte[] getClassBytes(String name) throws IOException {
            byte[] bytes = known.get(name);
            if (bytes == null) {
                bytes = source.getClassBytes(name);
                known.put(name, bytes == null ? ABSENT : bytes);
            }
            return bytes == ABSENT ? null : bytes;
        }

        @Override
        public InputStream getInputStream(String resource) throws IOException {
            return source.getInputStream(resource);
        }
    }

    /** Takes the sources. */
    private static final class Saver implements IResultSaver {
        private final Map<String, byte[]> sources;

        Saver(Map<String, byte[]> sources) {
            this.sources = sources;
        }

        @Override
        public void saveClassFile(String path, String name, String entry, String content, int[] lines) {
            if (content != null) {
                sources.put(entry, content.getBytes(StandardCharsets.UTF_8));
            }
        }

        @Override
        public void saveClassEntry(String path, String archive, String name, String entry, String content) {
            saveClassFile(path, name, entry, content, null);
        }

        @Override
        public void copyEntry(String source, String path, String archive, String entry) {}

        @Override
        public void saveFolder(String path) {}

        @Override
        public void copyFile(String source, String path, String entry) {}

        @Override
        public void createArchive(String path, String archive, Manifest manifest) {}

        @Override
        public void saveDirEntry(String path, String archive, String entry) {}

        @Override
        public void closeArchive(String path, String archive) {}
    }
}
