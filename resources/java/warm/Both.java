package warm;

import java.io.File;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Runs two commands, and tells how their exit codes and outputs differ.
 *
 * <p>{@code java -cp FOLDER warm.Both FIRST -- SECOND}, or {@code FIRST -- BETWEEN -- SECOND}: a command that must end
 * well before the second one, such as a tool that changes the program. Exit code 125 if it does not. Lines of output that
 * differ in two runs of the first command do not count, nor do times, addresses and numbers of source lines. Standard
 * error has the first line of both that differs.
 *
 * <p>{@code java -cp FOLDER warm.Both -alone RUN FIRST} runs the first command, which must end well, and keeps what it did
 * in a file. {@code java -cp FOLDER warm.Both -compiled RUN COMPILED FIRST} compares with it: the second command is the first
 * one, with classes that {@link Apart} has compiled from sources in front of its class path. The sources to blame are found
 * by halves; where there are several, by leaving out halves, then smaller parts.
 */
public final class Both {
    private static final int CANNOT_TELL = 125;
    static final String BLAMED = "compiled from its source, ";
    /** Seconds that the second command may take at least, and the same as a multiple of the first one's: of processor time,
     * or on a watch if it does nothing. */
    private static long least = 10, slack = 10;
    /** Seconds from one look at a command to the next, and seconds of processor time in which it does something. */
    private static final long LOOK = 2;
    private static final double WORKS = 0.02;

    private record Run(String exit, List<String> out, List<String> err, double seconds, double worked)
            implements Serializable {}

    private static final int SHOWN = 300, LINES = 15;

    private static Run first, again;
    /** What both runs say where they differ. */
    private static String seen = "";

    private Both() {}

    public static void main(String[] arguments) throws Exception {
        List<List<String>> commands = new ArrayList<>(List.of(new ArrayList<>()));
        for (String word : arguments) {
            if (word.equals("--")) commands.add(new ArrayList<>());
            else commands.get(commands.size() - 1).add(word);
        }
        List<String> command = commands.get(0);
        switch (arguments[0]) {
            case "-alone" -> {
                alone(command.subList(2, command.size()), Path.of(arguments[1]));
                return;
            }
            case "-compiled" -> {
                least = 2; // the same program on the same virtual machine; to find the source to blame takes many runs
                slack = 3;
                try (ObjectInputStream kept = new ObjectInputStream(Files.newInputStream(Path.of(arguments[1])))) {
                    first = (Run) kept.readObject();
                }
                compare(command.subList(3, command.size()), folders(Path.of(arguments[2])));
                show();
                return;
            }
            default -> first = run(command, Double.MAX_VALUE, Double.MAX_VALUE);
        }
        for (List<String> between : commands.subList(1, commands.size() - 1)) {
            if (between.isEmpty()) continue;
            Run ran = run(between, Double.MAX_VALUE, Double.MAX_VALUE);
            if (!ran.exit.equals("0")) {
                System.err.println(String.join(" ", between) + " ended with exit code " + ran.exit);
                System.exit(CANNOT_TELL);
            }
        }
        List<String> found = differences(command, commands.get(commands.size() - 1));
        found.forEach(System.out::println);
        if (found.isEmpty()) System.err.println("The program does the same in both runs.");
        show();
    }

    private static void alone(List<String> command, Path kept) throws Exception {
        first = run(command, Double.MAX_VALUE, Double.MAX_VALUE);
        if (!first.exit.equals("0")) {
            System.err.println("The program itself ends with exit code " + first.exit + ", which must be 0. It says:");
            Stream.concat(first.out.stream(), first.err.stream()).filter(line -> !line.isBlank()).limit(LINES)
                    .forEach(System.err::println);
            System.exit(1);
        }
        try (ObjectOutputStream out = new ObjectOutputStream(Files.newOutputStream(kept))) {
            out.writeObject(first);
        }
    }

    /** Tells which of some compiled sources are to blame. */
    private static void compare(List<String> command, List<Path> folders) throws Exception {
        List<String> found = differences(command, with(folders, command));
        if (found.isEmpty()) {
            System.err.println("The program does the same with all " + folders.size() + " sources that compile.");
        }
        if (!found.isEmpty() && folders.size() > 1) {
            List<Path> one = halved(folders, command);
            List<String> alone = differences(command, with(one, command));
            if (!alone.isEmpty()) {
                folders = one;
                found = alone;
            }
        }
        for (int size = folders.size() / 2; !found.isEmpty() && size > 0; size /= 2) {
            for (int end = folders.size(); end > 0; end -= size) {
                List<Path> rest = new ArrayList<>(folders.subList(0, Math.max(0, end - size)));
                rest.addAll(folders.subList(end, folders.size()));
                List<String> seen = rest.isEmpty() ? List.of() : differences(command, with(rest, command));
                if (!seen.isEmpty()) {
                    folders = rest;
                    found = seen;
                }
            }
        }
        String blamed = folders.stream().map(folder -> folder.getFileName().toString()).collect(Collectors.joining(", "));
        for (String difference : found) System.out.println(BLAMED + blamed + ": " + difference);
    }

    /** Returns the one source to blame if there is but one. A run without it may be much the quicker, as where it hangs. */
    private static List<Path> halved(List<Path> folders, List<String> command) throws Exception {
        while (folders.size() > 1) {
            List<Path> half = folders.subList(0, folders.size() / 2);
            boolean here = !differences(command, with(half, command)).isEmpty();
            folders = here ? half : folders.subList(half.size(), folders.size());
        }
        return folders;
    }

    private static List<Path> folders(Path compiled) throws IOException {
        if (!Files.isDirectory(compiled)) return List.of();
        try (Stream<Path> all = Files.list(compiled)) {
            return all.sorted().collect(Collectors.toList());
        }
    }

    private static List<String> with(List<Path> folders, List<String> command) {
        List<String> words = new ArrayList<>(command);
        int place = words.indexOf("-cp") + 1;
        String classes = folders.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
        words.set(place, classes + File.pathSeparator + words.get(place));
        return words;
    }

    private static List<String> differences(List<String> command, List<String> other) throws Exception {
        Run second = run(other, least + slack * first.worked, least + slack * first.seconds);
        List<String> found = between(second);
        if (!found.isEmpty() && again == null) {
            again = run(command, Double.MAX_VALUE, Double.MAX_VALUE);
            found = between(second);
        }
        return found;
    }

    /** Returns the difference that says most: exit codes before outputs, and these before messages. */
    private static List<String> between(Run second) {
        if (!first.exit.equals(second.exit)) {
            if (!differ(first.err, first.err, second.err)) differ(first.out, first.out, second.out);
            return List.of("exit code " + second.exit + " in place of " + first.exit);
        }
        if (differ(first.out, again == null ? first.out : again.out, second.out)) return List.of("another standard output");
        if (differ(first.err, again == null ? first.err : again.err, second.err)) return List.of("another standard error");
        return List.of();
    }

    private static boolean differ(List<String> one, List<String> same, List<String> other) {
        boolean sizes = one.size() != other.size();
        if (sizes && one.size() != same.size()) return false;
        for (int line = 0; line < Math.max(one.size(), other.size()); line++) {
            boolean both = line < one.size() && line < other.size();
            boolean steady = line < same.size() && line < one.size() && one.get(line).equals(same.get(line));
            if (!both || (steady && !one.get(line).equals(other.get(line)))) {
                tell(one, other, line);
                return true;
            }
        }
        return sizes;
    }

    private static void tell(List<String> one, List<String> other, int line) {
        String left = at(one, line), right = at(other, line);
        int same = 0;
        while (same < Math.min(left.length(), right.length()) && left.charAt(same) == right.charAt(same)) same++;
        int begin = same < SHOWN / 2 ? 0 : same - SHOWN / 4;
        seen = "first:  " + shown(left, begin) + "\nsecond: " + shown(right, begin) + "\n";
    }

    private static String at(List<String> lines, int line) {
        if (line >= lines.size()) return "(nothing)";
        return new String(lines.get(line).getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }

    /** Returns a part of a line, in which what cannot be told from a space or from nothing is written as a number. */
    private static String shown(String text, int begin) {
        StringBuilder found = new StringBuilder(begin > 0 ? "..." : "");
        for (char each : text.substring(begin, Math.min(text.length(), begin + SHOWN)).toCharArray()) {
            boolean seen = each == ' ' || each == '\t'
                    || !(Character.isISOControl(each) || Character.isSpaceChar(each) || Character.getType(each) == Character.FORMAT);
            found.append(seen ? String.valueOf(each) : String.format("\\u%04x", (int) each));
        }
        return found.toString();
    }

    private static void show() {
        byte[] bytes = seen.getBytes(StandardCharsets.UTF_8);
        System.err.write(bytes, 0, bytes.length);
        System.err.flush();
    }

    private static Run run(List<String> command, double work, double seconds) throws Exception {
        double spent = spent();
        Path out = Files.createTempFile(Path.of(""), "out", ""), err = Files.createTempFile(Path.of(""), "err", "");
        long begun = System.nanoTime();
        Process process = new ProcessBuilder(command).redirectInput(new File("/dev/null"))
                .redirectOutput(out.toFile()).redirectError(err.toFile()).start();
        String exit = "";
        for (double before = 0; exit.isEmpty();) {
            if (process.waitFor(LOOK, TimeUnit.SECONDS)) exit = Integer.toString(process.exitValue());
            else {
                double worked = all(process).map(each -> each.info().totalCpuDuration().orElse(Duration.ZERO))
                        .mapToLong(Duration::toMillis).sum() / 1e3;
                boolean late = System.nanoTime() - begun > seconds * 1e9;
                if (worked > work || late && worked - before < WORKS) {
                    all(process).forEach(ProcessHandle::destroyForcibly);
                    exit = "none";
                }
                before = worked;
            }
        }
        double passed = (System.nanoTime() - begun) / 1e9, worked = spent() - spent;
        return new Run(exit, lines(out), lines(err), passed, worked > 0 ? worked : passed);
    }

    /** Returns the seconds of processor time of all commands that have ended; 0 if the system does not tell. */
    private static double spent() {
        try {
            String[] words = Files.readString(Path.of("/proc/self/stat")).replaceFirst(".*\\) ", "").split(" ");
            return (Long.parseLong(words[13]) + Long.parseLong(words[14])) / 100.0;
        } catch (IOException error) {
            return 0;
        }
    }

    /** Returns a process and those that it has started. */
    private static Stream<ProcessHandle> all(Process process) {
        return Stream.concat(process.descendants(), Stream.of(process.toHandle()));
    }

    private static List<String> lines(Path file) throws IOException {
        String text = Files.readString(file, StandardCharsets.ISO_8859_1);
        Files.delete(file);
        return text.lines().map(line -> line.replaceAll("\\([\\w$]+[.]java:\\d+\\)", "()")
                .replaceAll("@[0-9a-f]{4,}", "@").replaceAll("(?i)\\b[\\d.,]+ ?(?:[mun]?s|sec|seconds)\\b|\\btime: *[\\d.,]+", "#"))
                .collect(Collectors.toList());
    }
}
