package tool;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.charset.Charset;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * The working directory and the environment of the process, which Java itself never changes.
 *
 * <p>The system's {@code chdir} changes the directory of the process; what the JDK remembers of the old one is put
 * right. A process that cannot do so says it at its start, by an exception.
 */
final class Surroundings {
    private final String home = System.getProperty("user.dir");
    private final Field userDir;
    private final Object files;
    private final Field defaultDirectory;
    private final Object newFiles = FileSystems.getDefault();
    private final Map<String, String> environment;

    @SuppressWarnings("unchecked")
    Surroundings() throws ReflectiveOperationException, IOException {
        Field system = fieldOf(File.class, "fs", "FS");
        files = system.get(null);
        userDir = fieldOf(files.getClass(), "userDir");
        Class<?> type = newFiles.getClass();
        while (!type.getSimpleName().equals("UnixFileSystem")) {
            type = type.getSuperclass();
        }
        defaultDirectory = fieldOf(type, "defaultDirectory");
        Field map = fieldOf(Class.forName("java.util.Collections$UnmodifiableMap"), "m");
        environment = (Map<String, String>) map.get(System.getenv());
        check();
    }

    void enter(String folder, Map<String, String> variables) throws IOException, ReflectiveOperationException {
        environment.clear();
        environment.putAll(variables);
        go(folder);
    }

    void leave() throws IOException, ReflectiveOperationException {
        go(home);
    }

    private void go(String folder) throws IOException, ReflectiveOperationException {
        WorkingFolder.change(folder);
        System.setProperty("user.dir", folder);
        userDir.set(files, folder);
        boolean bytes = defaultDirectory.getType() == byte[].class;
        defaultDirectory.set(newFiles, bytes ? folder.getBytes(Charset.defaultCharset()) : folder);
    }

    private void check() throws IOException, ReflectiveOperationException {
        Path folder = Files.createDirectory(Path.of(home, "elsewhere"));
        Files.write(folder.resolve("here"), new byte[1]);
        go(folder.toString());
        try (FileInputStream opened = new FileInputStream("here")) {
            boolean right = opened.read() == 0
                    && Files.size(Path.of("here")) == 1
                    && new File("here").getAbsolutePath().equals(folder + "/here")
                    && Path.of("here").toAbsolutePath().equals(folder.resolve("here"))
                    && new File("here").exists();
            if (!right) {
                throw new IOException("the working directory does not change");
            }
        }
        go(home);
    }

    private static Field fieldOf(Class<?> type, String... names) throws ReflectiveOperationException {
        for (String name : names) {
            try {
                Field field = type.getDeclaredField(name);
                field.setAccessible(true);
                return field;
            } catch (NoSuchFieldException other) {
                continue;
            }
        }
        throw new NoSuchFieldException(String.join(", ", names));
    }
}
