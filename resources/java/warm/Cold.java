package warm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/** Decompiles one jar to a folder, for decompilers that are published without a command line of their own. */
public final class Cold {
    private Cold() {}

    /** Arguments: the class of the {@link Decompiler}, the jar, the folder, then the class path of the input. */
    public static void main(String[] arguments) throws Exception {
        Map<String, byte[]> sources = new TreeMap<>();
        try {
            String[] classPath = Arrays.copyOfRange(arguments, 3, arguments.length);
            decompiler(arguments[0], classPath).decompile(Path.of(arguments[1]), sources);
        } finally {
            write(sources, Path.of(arguments[2]));
        }
    }

    static Decompiler decompiler(String name, String[] classPath) throws ReflectiveOperationException {
        return (Decompiler) Class.forName("warm." + name)
                .getDeclaredConstructor(String[].class).newInstance((Object) classPath);
    }

    /** Writes each source within the folder; one whose path leads out of it is left out. */
    static void write(Map<String, byte[]> sources, Path folder) throws IOException {
        for (Map.Entry<String, byte[]> source : sources.entrySet()) {
            Path file = folder.resolve(source.getKey()).normalize();
            if (file.startsWith(folder.normalize())) {
                Files.createDirectories(file.toAbsolutePath().getParent());
                Files.write(file, source.getValue());
            }
        }
    }
}
