import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;

/**
 * Java programs in one process: each line of the input holds, separated by tabs, a main class of the class path (or
 * javac) and its arguments; each answer is what it said.
 */
public class Resident {
    public static void main(String[] arguments) throws Exception {
        var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        var answers = System.out;
        for (String line; (line = lines.readLine()) != null; ) {
            var words = line.split("\t");
            var said = new ByteArrayOutputStream();
            var out = new PrintStream(said, true, StandardCharsets.UTF_8);
            System.setOut(out);
            System.setErr(out);
            var thread = new Thread(null, () -> run(words[0], Arrays.copyOfRange(words, 1, words.length), out), "", 8 << 20);
            thread.start();
            thread.join();
            out.flush();
            answers.println(Base64.getEncoder().encodeToString(said.toByteArray()));
            answers.flush();
        }
    }

    private static void run(String program, String[] arguments, PrintStream out) {
        try {
            if (program.equals("javac")) {
                var writer = new PrintWriter(out, true, StandardCharsets.UTF_8);
                java.util.spi.ToolProvider.findFirst("javac").orElseThrow().run(writer, writer, arguments);
                writer.flush();
            } else {
                Class.forName(program).getMethod("main", String[].class).invoke(null, (Object) arguments);
            }
        } catch (Throwable failure) {
            failure.printStackTrace(out);
        }
    }
}
