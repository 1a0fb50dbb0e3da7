package trial;

import java.io.File;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Runs probes on jars and compiles clients against them; prints a line for each: "fine" or what went wrong.
 *
 * <p>Usage: {@code java trial.Trial LIST FOLDER}. A line of LIST is a jar, a tab and the name of a probe's class or the
 * path of a source file; what is compiled goes to FOLDER.
 */
public abstract class Trial {
    private ClassLoader loader;

    /** Throws what is wrong. */
    protected abstract void run() throws Throwable;

    /** A class of the probe's package, by its simple name. */
    protected Class<?> type(String name) throws ClassNotFoundException {
        return Class.forName(getClass().getSimpleName() + "." + name, true, loader);
    }

    protected Field field(String type, String name) throws ReflectiveOperationException {
        Field field = type(type).getDeclaredField(name);
        field.setAccessible(true);
        return field;
    }

    protected void call(String type, String name) throws Throwable {
        Method method = type(type).getDeclaredMethod(name);
        method.setAccessible(true);
        try {
            method.invoke(null);
        } catch (InvocationTargetException error) {
            throw error.getCause();
        }
    }

    public static void main(String[] arguments) throws Exception {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, Locale.ENGLISH, null)) {
            for (String line : Files.readAllLines(Path.of(arguments[0]))) {
                String[] parts = line.split("\t");
                String result = parts[1].endsWith(".java")
                        ? compile(compiler, files, parts[0], parts[1], arguments[1])
                        : probe(parts[0], parts[1]);
                System.out.println(result.replace('\n', ' '));
            }
        }
    }

    private static String compile(
            JavaCompiler compiler, StandardJavaFileManager files, String jar, String source, String folder) {
        DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
        List<String> options = List.of("-proc:none", "-cp", jar, "-d", folder);
        boolean fine = compiler.getTask(null, files, found, options, null, files.getJavaFileObjects(new File(source)))
                .call();
        if (fine) {
            return "fine";
        }
        StringBuilder errors = new StringBuilder();
        for (Diagnostic<?> problem : found.getDiagnostics()) {
            errors.append(problem.getMessage(Locale.ENGLISH)).append("; ");
        }
        return errors.toString();
    }

    private static String probe(String jar, String name) throws Exception {
        URL[] urls = {Path.of(jar).toUri().toURL()};
        try (URLClassLoader loader = new URLClassLoader(urls, ClassLoader.getPlatformClassLoader())) {
            Trial trial = (Trial) Class.forName(name).getDeclaredConstructor().newInstance();
            trial.loader = loader;
            trial.run();
            return "fine";
        } catch (Throwable error) {
            return error.toString();
        }
    }
}
