package warm;

import com.strobel.assembler.InputTypeLoader;
import com.strobel.assembler.metadata.Buffer;
import com.strobel.assembler.metadata.CompositeTypeLoader;
import com.strobel.assembler.metadata.DeobfuscationUtilities;
import com.strobel.assembler.metadata.IMetadataResolver;
import com.strobel.assembler.metadata.ITypeLoader;
import com.strobel.assembler.metadata.JarTypeLoader;
import com.strobel.assembler.metadata.MetadataParser;
import com.strobel.assembler.metadata.MetadataSystem;
import com.strobel.assembler.metadata.TypeDefinition;
import com.strobel.assembler.metadata.TypeReference;
import com.strobel.decompiler.DecompilationOptions;
import com.strobel.decompiler.DecompilerSettings;
import com.strobel.decompiler.PlainTextOutput;
import com.strobel.decompiler.languages.java.JavaFormattingOptions;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * {@code procyon -jar JAR -o SOURCES}: the same steps in the same order as {@code decompileJar} of its driver.
 *
 * <p>The class path of the input is this process's own class path, which is where Procyon looks.
 */
final class Procyon implements Decompiler {
    private static final int TYPES_PER_SYSTEM = 100;

    private final ITypeLoader library = new Library(new InputTypeLoader());
    /** The JDK's types, read once: none of them mentions a class of a plain candidate. */
    private NoRetry platform = new NoRetry(library);

    Procyon(String[] classPath) {
        Logger.getLogger("").setLevel(Level.SEVERE);
    }

    @Override
    public void decompile(Path path, Map<String, byte[]> sources) throws IOException {
        decompile(path, false, sources);
    }

    @Override
    public void decompilePlain(Path path, Map<String, byte[]> sources) throws IOException {
        decompile(path, true, sources);
    }

    private void decompile(Path path, boolean plain, Map<String, byte[]> sources) throws IOException {
        try (JarFile jar = new JarFile(path.toFile())) {
            DecompilationOptions options = options(new JarTypeLoader(jar));
            MetadataSystem system = system(options, plain);
            int done = 0;
            for (JarEntry entry : Collections.list(jar.entries())) {
                if (!entry.getName().endsWith(".class")) {
                    continue;
                }
                String name = entry.getName().substring(0, entry.getName().length() - ".class".length());
                try {
                    decompileType(system, name, options, sources);
                    if (++done % TYPES_PER_SYSTEM == 0) {
                        system = system(options, plain);
                    }
                } catch (Throwable failure) {
                    forget();
                    failure.printStackTrace();
                }
            }
        }
    }

    @Override
    public void decompileOne(String name, View view, Map<String, byte[]> sources) throws IOException {
        DecompilationOptions options = options((asked, buffer) -> fill(buffer, view.bytes(asked)));
        try {
            decompileType(system(options, true), name, options, sources);
        } catch (Throwable failure) {
            forget();
            throw failure;
        }
    }

    private MetadataSystem system(DecompilationOptions options, boolean plain) {
        return new NoRetry(options.getSettings().getTypeLoader(), plain ? platform : null);
    }

    /** After a failure anywhere: it may have left a type half read. */
    private void forget() {
        platform = new NoRetry(library);
    }

    private DecompilationOptions options(ITypeLoader candidate) {
        DecompilerSettings settings = new DecompilerSettings();
        settings.setForceExplicitImports(true);
        settings.setShowSyntheticMembers(false);
        set(settings, "setTextBlockLineMinimum", int.class, 3); // since 0.6
        settings.setOutputFileHeaderText("\nDecompiled by Procyon\n"); // as many lines as the driver's
        JavaFormattingOptions format = JavaFormattingOptions.createDefault();
        if (!set(settings, "setJavaFormattingOptions", JavaFormattingOptions.class, format)) {
            set(settings, "setFormattingOptions", JavaFormattingOptions.class, format); // before 0.5.34
        }
        settings.setTypeLoader(new CompositeTypeLoader(candidate, library));
        DecompilationOptions options = new DecompilationOptions();
        options.setSettings(settings);
        options.setFullDecompilation(true);
        return options;
    }

    /** Calls a setter that not every version of Procyon has. Returns false where there is none. */
    private static boolean set(DecompilerSettings settings, String name, Class<?> type, Object value) {
        try {
            DecompilerSettings.class.getMethod(name, type).invoke(settings, value);
            return true;
        } catch (NoSuchMethodException missing) {
            return false;
        } catch (ReflectiveOperationException failure) {
            throw new IllegalStateException(failure);
        }
    }

    private static boolean fill(Buffer buffer, byte[] bytes) {
        if (bytes == null) {
            return false;
        }
        buffer.reset(bytes.length);
        System.arraycopy(bytes, 0, buffer.array(), 0, bytes.length);
        buffer.position(0);
        return true;
    }

    private static void decompileType(
            MetadataSystem system, String name, DecompilationOptions options, Map<String, byte[]> sources)
            throws IOException {
        System.out.println("Decompiling " + name); // as the driver
        TypeReference reference = name.length() == 1
                ? system.resolve(new MetadataParser(IMetadataResolver.EMPTY).parseTypeDescriptor(name))
                : system.lookupType(name);
        TypeDefinition type = reference == null ? null : reference.resolve();
        if (type == null) {
            System.err.println("Failed to load class " + name);
            return;
        }
        DeobfuscationUtilities.processType(type);
        if (type.isNested() || type.isAnonymous() || type.isSynthetic()) {
            return;
        }
        DecompilerSettings settings = options.getSettings();
        String folder = type.getPackageName() == null ? "" : type.getPackageName().replace('.', '/');
        String file = type.getName() + settings.getLanguage().getFileExtension();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            OutputStreamWriter writer = new OutputStreamWriter(bytes, StandardCharsets.UTF_8);
            PlainTextOutput output = new PlainTextOutput(writer);
            output.setUnicodeOutputEnabled(false);
            settings.getLanguage().decompileType(type, output, options);
            writer.flush();
        } finally {
            // After a failure the file has what reached it through the writer's buffer until then.
            sources.put(folder.isEmpty() ? file : folder + "/" + file, bytes.toByteArray());
        }
    }

    /** As the driver's own class of this name, which is not public; the JDK's types may be those of another one. */
    private static final class NoRetry extends MetadataSystem {
        private final Set<String> failed = new HashSet<>();
        private final NoRetry platform;

        NoRetry(ITypeLoader loader) {
            this(loader, null);
        }

        NoRetry(ITypeLoader loader, NoRetry platform) {
            super(loader);
            this.platform = platform;
        }

        @Override
        protected TypeDefinition resolveType(String descriptor, boolean mightBePrimitive) {
            if (failed.contains(descriptor)) {
                return null;
            }
            if (platform != null && Platform.has(descriptor)) {
                return platform.resolveType(descriptor, mightBePrimitive);
            }
            TypeDefinition type = super.resolveType(descriptor, mightBePrimitive);
            if (type == null) {
                failed.add(descriptor);
            }
            return type;
        }
    }

    /** Remembers what is outside the candidate, and what is not: it is the same for all candidates. */
    private static final class Library implements ITypeLoader {
        private static final byte[] ABSENT = new byte[0];

        private final ITypeLoader loader;
        private final Map<String, byte[]> known = new HashMap<>();

        Library(ITypeLoader loader) {
            this.loader = loader;
        }

        @Override
        public boolean tryLoadType(String name, Buffer buffer) {
            byte[] bytes = known.computeIfAbsent(name, this::load);
            return fill(buffer, bytes == ABSENT ? null : bytes);
        }

        private byte[] load(String name) {
            Buffer buffer = new Buffer(0);
            return loader.tryLoadType(name, buffer) ? Arrays.copyOf(buffer.array(), buffer.size()) : ABSENT;
        }
    }
}
