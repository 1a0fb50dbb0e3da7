package tool;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.spi.ToolProvider;

/**
 * A program that runs again and again: the main class of a jar, a class of a class path, or the compiler of this JDK
 * ({@code javac}).
 */
final class Program {
    /** The way of a class that is on the class path of this process. */
    static final String OWN = "own";
    private static final String COMPILER = "javac";

    private final String name;
    private final String way;
    private final String classPath;
    private ClassLoader loader;
    private MethodHandle main;

    /**
     * @param way the way of its classes, as {@link ToolHost} names it
     * @param classPath the place of the class {@code name}; empty where that is a jar
     */
    Program(String name, String way, String classPath) {
        this.name = name;
        this.way = way;
        this.classPath = classPath;
    }

    /** Returns the exit code of a program that comes to the end of its main method. */
    int run(String[] words) throws Throwable {
        if (name.equals(COMPILER)) {
            return ToolProvider.findFirst(COMPILER).orElseThrow().run(System.out, System.err, words);
        }
        if (main == null) {
            load();
        }
        if (!way.equals(OWN)) {
            System.setProperty("java.class.path", classPath.isEmpty() ? name : classPath);
        }
        Thread.currentThread().setContextClassLoader(loader);
        main.invokeExact(words);
        return 0;
    }

    /** Lets the classes go where they are not kept. */
    void end() throws IOException {
        Thread.currentThread().setContextClassLoader(ClassLoader.getSystemClassLoader());
        if (way.equals("new") && loader != null) {
            ((URLClassLoader) loader).close();
            loader = null;
            main = null;
        }
    }

    private void load() throws ReflectiveOperationException {
        try {
            loader = way.equals(OWN) ? ClassLoader.getSystemClassLoader() : loader();
            Class<?> type = Class.forName(way.equals(OWN) || !classPath.isEmpty() ? name : mainClass(), true, loader);
            MethodType shape = MethodType.methodType(void.class, String[].class);
            main = MethodHandles.privateLookupIn(type, MethodHandles.lookup()).findStatic(type, "main", shape);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private URLClassLoader loader() throws IOException {
        String[] files = classPath.isEmpty() ? new String[] {name} : classPath.split(File.pathSeparator);
        URL[] places = new URL[files.length];
        for (int at = 0; at < files.length; at++) {
            places[at] = new File(files[at]).toURI().toURL();
        }
        return new URLClassLoader(places, ClassLoader.getPlatformClassLoader());
    }

    private String mainClass() throws IOException {
        try (JarFile file = new JarFile(name)) {
            return file.getManifest().getMainAttributes().getValue(Attributes.Name.MAIN_CLASS).trim();
        }
    }
}
