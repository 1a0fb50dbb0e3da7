package warm;

import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.jar.JarFile;

/**
 * Loads and links every class of a jar, so that the virtual machine verifies it; prints a stack trace a failure.
 *
 * <p>{@code java -Xverify:all -cp FOLDER warm.Verify JAR [LIBRARY...]}; exit code 1 when there was a failure.
 */
public final class Verify {
    private static final String SUFFIX = ".class";

    private Verify() {}

    public static void main(String[] arguments) throws Exception {
        List<URL> places = new ArrayList<>();
        for (String argument : arguments) {
            places.add(new File(argument).toURI().toURL());
        }
        TreeSet<String> names = new TreeSet<>();
        try (JarFile jar = new JarFile(Path.of(arguments[0]).toFile())) {
            jar.stream().map(entry -> entry.getName())
                    .filter(name -> name.endsWith(SUFFIX) && !name.startsWith("META-INF/"))
                    .filter(name -> !name.endsWith("module-info.class"))
                    .forEach(name -> names.add(name.substring(0, name.length() - SUFFIX.length()).replace('/', '.')));
        }
        boolean failed = false;
        try (URLClassLoader loader =
                new URLClassLoader(places.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
            for (String name : names) {
                try {
                    // Asking for the methods links a class, which verifies it, and initialises nothing.
                    Class.forName(name, false, loader).getDeclaredMethods();
                } catch (Throwable failure) {
                    failed = true;
                    System.err.print("Exception in class " + name + " ");
                    failure.printStackTrace();
                }
            }
        }
        System.exit(failed ? 1 : 0);
    }
}
