package referee;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.TreeSet;

/**
 * Has ProGuard read jars, one after the other in one process, and gives what it warns of.
 *
 * <p>Usage: {@code java -cp FOLDER:proguard.jar referee.Shrinker LIST OPTIONS...}. LIST is a text file with a jar's
 * path in each line; OPTIONS are ProGuard's own. For each jar the output has a JSON line per warning, then a last one.
 */
public final class Shrinker {
    private static final String WARNING = "Warning: ";
    private static final String FAILURE = "Failure: ";

    private Shrinker() {}

    public static void main(String[] arguments) throws Exception {
        PrintStream out = System.out;
        for (String jar : Files.readAllLines(Path.of(arguments[0]))) {
            if (jar.isBlank()) {
                continue;
            }
            String[] options = arguments.clone();
            options[0] = "-injars " + quoted(jar) + "(!META-INF/versions/**)";
            TreeSet<String> warnings = new TreeSet<>();
            for (String line : run(options).split("\r?\n")) {
                if (line.startsWith(FAILURE)) {
                    out.println("{\"jar\":" + Problem.quoted(jar) + ",\"failed\":" + Problem.quoted(line) + "}");
                } else if (line.startsWith(WARNING) && line.indexOf(": ", WARNING.length()) > 0) {
                    warnings.add(line.substring(WARNING.length()).strip());
                }
            }
            for (String warning : warnings) {
                out.println("{\"jar\":" + Problem.quoted(jar) + ",\"message\":" + Problem.quoted(warning) + "}");
            }
            out.println("{\"jar\":" + Problem.quoted(jar) + ",\"done\":true}");
            out.flush();
        }
    }

    private static String quoted(String path) {
        return "'" + path + "'";
    }

    /** What ProGuard prints; a failure is printed too. */
    private static String run(String[] options) throws Exception {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        PrintStream stream = new PrintStream(printed, true, StandardCharsets.UTF_8);
        PrintStream out = System.out;
        PrintStream err = System.err;
        System.setOut(stream);
        System.setErr(stream);
        try {
            Thread thread = new Thread(null, () -> execute(options, stream), "ProGuard", 64 << 20);
            thread.start();
            thread.join();
        } finally {
            System.setOut(out);
            System.setErr(err);
        }
        return printed.toString(StandardCharsets.UTF_8);
    }

    private static void execute(String[] options, PrintStream printed) {
        try {
            Class<?> configurationType = Class.forName("proguard.Configuration");
            Object configuration = configurationType.getConstructor().newInstance();
            Class<?> parserType = Class.forName("proguard.ConfigurationParser");
            Constructor<?> parser = parserType.getConstructor(String[].class, Properties.class);
            parserType.getMethod("parse", configurationType)
                    .invoke(parser.newInstance(options, System.getProperties()), configuration);
            Class<?> tool = Class.forName("proguard.ProGuard");
            tool.getMethod("execute").invoke(tool.getConstructor(configurationType).newInstance(configuration));
        } catch (InvocationTargetException error) {
            printed.println(FAILURE + "ProGuard failed: " + error.getCause());
        } catch (ReflectiveOperationException error) {
            printed.println(FAILURE + "ProGuard cannot be run: " + error);
        }
    }
}
