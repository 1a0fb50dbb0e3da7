import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** javac that stays: each line of the input holds tab-separated arguments, each answer its exit code and what it said. */
public class Compiler {
    public static void main(String[] arguments) throws Exception {
        var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        var javac = java.util.spi.ToolProvider.findFirst("javac").orElseThrow();
        for (String line; (line = lines.readLine()) != null; ) {
            var said = new StringWriter();
            var out = new PrintWriter(said);
            int code = javac.run(out, out, line.split("\t"));
            out.flush();
            var text = said.toString().getBytes(StandardCharsets.UTF_8);
            System.out.println(code + " " + Base64.getEncoder().encodeToString(text));
        }
    }
}
