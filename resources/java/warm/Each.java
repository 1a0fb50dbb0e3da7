package warm;

import java.io.File;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/**
 * Starts a tool for each class of a jar, in one virtual machine; prints a stack trace for each class that it fails on.
 *
 * <p>{@code java -cp FOLDER warm.Each MAIN JAR PATH [name]}: the class {@code MAIN} of the class path {@code PATH} gets the
 * path of a class file, or the name of the class. It can load the classes of the jar. Exit code 1 when there was a failure.
 */
public final class Each {
    /** The folder of the class files, below the present one. */
    static final String FOLDER = "each";
    private static final String SUFFIX = ".class";

    private Each() {}

    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(FOLDER).toAbsolutePath();
        TreeMap<String, Path> files = new TreeMap<>();
        try (ZipInputStream jar = new ZipInputStream(Files.newInputStream(Path.of(arguments[1])))) {
            for (ZipEntry entry; (entry = jar.getNextEntry()) != null; ) {
                String name = entry.getName();
                Path file = folder.resolve(name).normalize();
                if (name.endsWith(SUFFIX) && !name.startsWith("META-INF/") && file.startsWith(folder)) {
                    Files.createDirectories(file.getParent());
                    Files.write(file, jar.readAllBytes());
                    files.put(name.substring(0, name.length() - SUFFIX.length()).replace('/', '.'), file);
                }
            }
        }
        boolean failed = false, named = arguments.length > 3;
        List<URL> places = new ArrayList<>();
        for (String place : arguments[2].split(File.pathSeparator)) places.add(Path.of(place).toUri().toURL());
        places.add(folder.toUri().toURL());
        try (URLClassLoader loader =
                new URLClassLoader(places.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
            Method main = loader.loadClass(arguments[0]).getMethod("main", String[].class);
            Thread.currentThread().setContextClassLoader(loader);
            for (var each : files.entrySet()) {
                try {
                    main.invoke(null, (Object) new String[] {named ? each.getKey() : each.getValue().toString()});
                } catch (InvocationTargetException failure) {
                    failed = true;
                    System.err.print("Exception in class " + each.getKey() + " ");
                    failure.getCause().printStackTrace();
                }
            }
        }
        System.exit(failed ? 1 : 0);
    }
}
