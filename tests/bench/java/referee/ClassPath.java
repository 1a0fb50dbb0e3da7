package referee;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** The libraries that all jars are judged with, and the JDK: class files by internal name, kept once read. */
final class ClassPath implements AutoCloseable {
    private final List<Path> folders = new ArrayList<>();
    private final List<JarFile> jars = new ArrayList<>();
    private final Map<String, Optional<byte[]>> known = new HashMap<>();
    private final Map<String, Optional<ClassData>> parsed = new HashMap<>();

    ClassPath(String path) throws IOException {
        for (String part : path.split(File.pathSeparator)) {
            if (part.isEmpty()) {
                continue;
            }
            if (Files.isDirectory(Path.of(part))) {
                folders.add(Path.of(part));
            } else {
                jars.add(new JarFile(new File(part), false, ZipFile.OPEN_READ, Runtime.version()));
            }
        }
    }

    /** The class file on the class path, or null. */
    byte[] bytes(String name) {
        return known.computeIfAbsent(name, this::read).orElse(null);
    }

    /** The class on the class path or else in the JDK, or null. */
    ClassData data(String name) {
        return parsed.computeIfAbsent(name, this::parse).orElse(null);
    }

    private Optional<ClassData> parse(String name) {
        try {
            byte[] data = jdk(name);
            data = data == null ? bytes(name) : data;
            return data == null ? Optional.empty() : Optional.of(new ClassData(data));
        } catch (RuntimeException damaged) {
            return Optional.empty();
        }
    }

    private static byte[] jdk(String name) {
        // The class loader of the JDK finds class files in all packages, also those that are not exported.
        for (ClassLoader loader : new ClassLoader[] {ClassLoader.getPlatformClassLoader(), Referee.class.getClassLoader()}) {
            try (InputStream stream = loader.getResourceAsStream(name + ".class")) {
                if (stream != null && !name.startsWith("referee/")) {
                    return stream.readAllBytes();
                }
            } catch (IOException error) {
                throw new IllegalStateException(error);
            }
        }
        return null;
    }

    private Optional<byte[]> read(String name) {
        try {
            for (JarFile jar : jars) {
                ZipEntry entry = jar.getJarEntry(name + ".class");
                if (entry != null) {
                    try (InputStream stream = jar.getInputStream(entry)) {
                        return Optional.of(stream.readAllBytes());
                    }
                }
            }
            for (Path folder : folders) {
                Path file = folder.resolve(name + ".class");
                if (Files.isRegularFile(file)) {
                    return Optional.of(Files.readAllBytes(file));
                }
            }
            return Optional.empty();
        } catch (IOException error) {
            throw new IllegalStateException(error);
        }
    }

    @Override
    public void close() throws IOException {
        for (JarFile jar : jars) {
            jar.close();
        }
    }
}
