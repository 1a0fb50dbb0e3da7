import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;

/**
 * Has Jarlet reduce the jar of a failing test. The predicate is the same test, run alone by JUnit's console launcher in
 * a JVM of its own, with the candidate in the system property {@code jarlet.candidate}.
 */
public final class ReduceOnFailure implements TestExecutionExceptionHandler {
    private static final String CANDIDATE = "jarlet.candidate";

    /** The jar to give to the tool: this one, or the candidate while Jarlet asks. */
    public static Path input(String jar) {
        return Path.of(System.getProperty(CANDIDATE, jar));
    }

    @Override
    public void handleTestExecutionException(ExtensionContext context, Throwable failure) throws Throwable {
        Reduce wish = context.getRequiredTestMethod().getAnnotation(Reduce.class);
        if (wish != null && System.getProperty(CANDIDATE) == null) {
            try {
                Path small = reduce(context, wish, failure);
                context.publishReportEntry("reduced jar", small.toAbsolutePath().toString());
                failure.addSuppressed(new AssertionError("a jar that fails in the same way: " + small.toAbsolutePath()));
            } catch (Exception problem) {
                failure.addSuppressed(problem); // the test's own failure is what is told
            }
        }
        throw failure;
    }

    private static Path reduce(ExtensionContext context, Reduce wish, Throwable failure) throws Exception {
        Path folder = Files.createDirectories(Path.of("jarlet-artifact"));
        String name = context.getRequiredTestClass().getName() + "#" + context.getRequiredTestMethod().getName();
        Path small = folder.resolve(name.replace('#', '.') + ".jar");
        List<String> command = new ArrayList<>();
        command.add(System.getProperty("jarlet.command", "jarlet"));
        command.addAll(List.of("reduce", wish.value(), "--predicate", predicate(name), "--match", pattern(failure)));
        command.addAll(List.of("--time-limit", String.valueOf(wish.seconds()), "-o", small.toString()));
        command.addAll(List.of("--report", folder.resolve(name.replace('#', '.') + ".md").toString(), "-q"));
        Process process = new ProcessBuilder(command).inheritIO().start();
        int code = process.waitFor();
        if (code != 0 && code != 3) {
            throw new IllegalStateException("jarlet ended with exit code " + code);
        }
        return small;
    }

    /** The line of the console launcher that fails as this very failure does. */
    private static String pattern(Throwable failure) {
        return java.util.regex.Pattern.quote(failure.getClass().getName()).replace("\\Q", "").replace("\\E", "")
                .replace(".", "\\.").replace("$", "\\$");
    }

    private static String predicate(String method) {
        StringBuilder path = new StringBuilder();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            path.append(path.length() == 0 ? "" : File.pathSeparator).append(new File(entry).getAbsolutePath());
        }
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        return quoted(java) + " -XX:TieredStopAtLevel=1 -D" + CANDIDATE + "={jar} -cp " + quoted(path.toString())
                + " org.junit.platform.console.ConsoleLauncher execute --disable-banner --details=tree"
                + " --select-method " + quoted(method);
    }

    private static String quoted(String word) {
        return "'" + word.replace("'", "'\\''") + "'";
    }
}
