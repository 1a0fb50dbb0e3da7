package referee;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Judges jars: does every class load, verify and link, does everything it refers to resolve?
 *
 * <p>The verdicts are the virtual machine's wherever it has one: classes are loaded and linked for real, and
 * members are resolved by the machine's own link resolver. No static initialiser of a judged class runs before all
 * is linked.
 *
 * <p>Usage: {@code java --add-opens java.base/java.lang.invoke=ALL-UNNAMED -cp FOLDER
 * referee.Referee LEVEL CLASSPATH [FULL]}. LEVEL is "jvm" or "src" (see {@link Problem}), "reflection": then classes
 * are only read by reflection, and enums that annotations name are initialised, or "all": "src", then "reflection".
 * With FULL, the jar that all others are parts of, the libraries are loaded once for all (see {@link Libraries}).
 * Each line of the input is a jar's path. For each jar the output has one JSON line per problem, sorted, then one with
 * the number of classes.
 */
public final class Referee {
    private Referee() {}

    public static void main(String[] arguments) throws Exception {
        Path full = arguments.length > 2 ? Path.of(arguments[2]) : null;
        try (ClassPath classPath = new ClassPath(arguments[1]);
                PrintWriter out = new PrintWriter(
                        new BufferedWriter(new OutputStreamWriter(System.out, StandardCharsets.UTF_8)))) {
            Libraries libraries = full == null ? null : new Libraries(classPath, Input.packages(full));
            BufferedReader jars = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            for (String jar = jars.readLine(); jar != null; jar = jars.readLine()) {
                Verdict verdict = judge(jar, arguments[0], classPath, libraries);
                if (libraries != null && libraries.refused()) {
                    libraries = null;
                    verdict = judge(jar, arguments[0], classPath, null);
                }
                for (Problem problem : verdict.problems.sorted()) {
                    out.println(problem.json(jar));
                }
                out.println("{\"jar\":" + Problem.quoted(jar) + ",\"classes\":" + verdict.classes + "}");
                out.flush();
            }
        }
    }

    private record Verdict(Problems problems, int classes) {}

    private static Verdict judge(String jar, String level, ClassPath classPath, Libraries libraries) throws Exception {
        boolean all = level.equals("all");
        Problems problems = new Problems(all || level.equals("src"));
        int classes = 0;
        for (Input input : Input.read(Path.of(jar))) {
            Candidate candidate = new Candidate(input.classes(), classPath, libraries);
            if (!level.equals("reflection")) {
                link(candidate, problems, input);
            }
            if (all || level.equals("reflection")) {
                reflect(candidate, problems, input);
            }
            classes += input.classes().size();
        }
        return new Verdict(problems, classes);
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
