package warm;

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
        String[] classPath = Arrays.copyOfRange(arguments, 3, arguments.length);
        Decompiler decompiler = (Decompiler) Class.forName("warm." + arguments[0])
                .getDeclaredConstructor(String[].class).newInstance((Object) classPath);
        Map<String, byte[]> sources = new TreeMap<>();
        try {
            decompiler.decompile(Path.of(arguments[1]), sources);
        } finally {
            for (Map.Entry<String, byte[]> source : sources.entrySet()) {
                Path file = Path.of(arguments[2], source.getKey());
                Files.createDirectories(file.toAbsolutePath().getParent());
                Files.write(file, source.getValue());
            }
        }
    }
}
