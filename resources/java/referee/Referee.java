package referee;

import java.io.BufferedWriter;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Judges jars: does every class load, verify and link, does everything it refers to resolve?
 *
 * <p>The verdicts are the virtual machine's wherever it has one: classes are loaded and linked for real, and
 * members are resolved by the machine's own link resolver. No static initialiser of a judged class runs.
 *
 * <p>Usage: {@code java -Xverify:all --add-opens java.base/java.lang.invoke=ALL-UNNAMED -cp FOLDER
 * referee.Referee LIST LEVEL [CLASSPATH]}. LIST is a text file with a jar's path in each line, LEVEL is "jvm" or "src"
 * (see {@link Problem}), or "reflection": then classes are only read by reflection, and enums that annotations name are
 * initialised. For each jar the output has one JSON line per problem, sorted, then one with the number of
 * classes.
 */
public final class Referee {
    private Referee() {}

    public static void main(String[] arguments) throws Exception {
        List<Path> jars = new ArrayList<>();
        for (String line : Files.readAllLines(Path.of(arguments[0]))) {
            if (!line.isBlank()) {
                jars.add(Path.of(line));
            }
        }
        try (ClassPath libraries = new ClassPath(arguments.length > 2 ? arguments[2] : "");
                PrintWriter out = new PrintWriter(
                        new BufferedWriter(new OutputStreamWriter(System.out, StandardCharsets.UTF_8)))) {
            for (Path jar : jars) {
                judge(jar, arguments[1], libraries, out);
                out.flush();
            }
        }
    }

    private static void judge(Path jar, String level, ClassPath libraries, PrintWriter out) throws Exception {
        Problems problems = new Problems(level.equals("src"));
        int classes = 0;
        for (Input input : Input.read(jar, problems)) {
            Candidate candidate = new Candidate(input.classes(), libraries);
            if (level.equals("reflection")) {
                reflect(candidate, problems, input);
            } else {
                link(candidate, problems, input);
            }
            classes += input.classes().size();
        }
        for (Problem problem : problems.sorted()) {
            out.println(problem.json(jar.toString()));
        }
        out.println("{\"jar\":" + Problem.quoted(jar.toString()) + ",\"classes\":" + classes + "}");
    }

    private static void link(Candidate candidate, Problems problems, Input input) {
        Judge judge = new Judge(candidate, problems);
        for (String name : input.classes().keySet()) {
            judge.type(name);
        }
        new Descriptors(candidate, problems).check(input);
    }

    private static void reflect(Candidate candidate, Problems problems, Input input) {
        for (String name : input.classes().keySet()) {
            if (name.endsWith("module-info")) {
                continue;
            }
            try {
                Class<?> type = candidate.load(name);
                if (type.getClassLoader() == candidate) {
                    new Reflection(problems, type).check();
                }
            } catch (ClassNotFoundException | LinkageError error) {
                problems.reflection(name, "load", Problem.place(error), Problem.text(error));
            }
        }
    }
}
