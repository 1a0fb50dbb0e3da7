import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;

/**
 * javac that stays: each line of the input holds tab-separated arguments, each answer its exit code and what it said. A
 * line "run FOLDER CLASS" runs a program of class files, with all its classes verified.
 */
public class Compiler {
    public static void main(String[] arguments) throws Exception {
        var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        var javac = java.util.spi.ToolProvider.findFirst("javac").orElseThrow();
        var stdout = System.out;
        for (String line; (line = lines.readLine()) != null; ) {
            var said = new ByteArrayOutputStream();
            var out = new PrintStream(said, true, StandardCharsets.UTF_8);
            var words = line.split("\t");
            int code = words[0].equals("run") ? run(words[1], words[2], out) : javac.run(out, out, words);
            out.flush();
            stdout.println(code + " " + Base64.getEncoder().encodeToString(said.toByteArray()));
        }
    }

    /** Classes of any loader but the JDK's own are verified. */
    private static int run(String folder, String name, PrintStream out) throws Exception {
        var stdout = System.out;
        System.setOut(out);
        var above = ClassLoader.getPlatformClassLoader();
        try (var loader = new URLClassLoader(new URL[] {Path.of(folder).toUri().toURL()}, above)) {
            Thread.currentThread().setContextClassLoader(loader);
            var main = loader.loadClass(name).getDeclaredMethod("main", String[].class);
            main.setAccessible(true);
            main.invoke(null, (Object) new String[0]);
            return 0;
        } catch (InvocationTargetException error) {
            error.getCause().printStackTrace(out);
        } catch (ReflectiveOperationException | LinkageError error) {
            error.printStackTrace(out);
        } finally {
            System.setOut(stdout);
        }
        return 1;
    }
}
