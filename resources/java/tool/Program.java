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

/** A program that runs again and again: the main class of a jar, or the compiler of this JDK ({@code javac}). */
final class Program {
    private static final String COMPILER = "javac";

    private final String name;
    private final boolean keeps;
    private URLClassLoader loader;
    private MethodHandle main;

    /** @param keeps true if its classes stay from one run to the next, with what is in their static fields */
    Program(String name, boolean keeps) {
        this.name = name;
        this.keeps = keeps;
    }

    /** Returns the exit code of a program that comes to the end of its main method. */
    int run(String[] words) throws Throwable {
        if (name.equals(COMPILER)) {
            return ToolProvider.findFirst(COMPILER).orElseThrow().run(System.out, System.err, words);
        }
        if (main == null) {
            load();
        }
        Thread.currentThread().setContextClassLoader(loader);
        main.invokeExact(words);
        return 0;
    }

    /** Lets the classes go where they are not kept. */
    void end() throws IOException {
        Thread.currentThread().setContextClassLoader(ClassLoader.getSystemClassLoader());
        if (!keeps && loader != null) {
            loader.close();
            loader = null;
            main = null;
        }
    }

    private void load() throws ReflectiveOperationException {
        try (JarFile file = new JarFile(name)) {
            URL[] places = {new File(name).toURI().toURL()};
            loader = new URLClassLoader(places, ClassLoader.getPlatformClassLoader());
            String entry = file.getManifest().getMainAttributes().getValue(Attributes.Name.MAIN_CLASS).trim();
            Class<?> type = Class.forName(entry, true, loader);
            MethodType shape = MethodType.methodType(void.class, String[].class);
            main = MethodHandles.privateLookupIn(type, MethodHandles.lookup()).findStatic(type, "main", shape);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
