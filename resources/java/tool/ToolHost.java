package tool;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.SynchronousQueue;

/**
 * Runs one program again and again, each time as a process of its own would.
 *
 * <p>Arguments: the program (see {@link Program}), the way of its classes, the named pipe for answers, and the class path
 * of a program that is no jar. Classes are {@code kept} from run to run, or {@code new} for each. A class of Jarlet's
 * {@code own} is on the class path of this process and stays: it changes nothing that a later run sees, so it runs in the
 * folder and environment of this process, whatever the request names.
 * A request on standard input is a 4-byte number of texts, and the texts, each a 4-byte length and UTF-8: the working
 * directory, the number of variables of the environment, a name and a value for each, the arguments of the program.
 * Standard output and error are the program's own. When it has ended, its exit code (4 bytes) is written to the pipe,
 * and a byte: 1 if this process can run it once more. Numbers are big-endian. The first answer says that the process is
 * ready. Where no answer comes, the process ended as the program wants it.
 */
public final class ToolHost {
    private static final int MOST_RUNS = 2000;
    /** Share of the heap that may be in use after a run; garbage is collected when more than half seems to be. */
    private static final double FULL = 0.7, FULLER = 0.5;

    private ToolHost() {}

    public static void main(String[] words) throws Exception {
        try (DataOutputStream answers = new DataOutputStream(new FileOutputStream(words[2]))) {
            Program program = new Program(words[0], words[1], words.length > 3 ? words[3] : "");
            boolean own = words[1].equals(Program.OWN);
            Surroundings surroundings = own ? null : new Surroundings();
            ForkJoinPool.commonPool(); // its threads are of another kind once there is a guard of exits
            Exits exits = own ? new Exits() : Exits.guarded();
            SynchronousQueue<String[]> requests = new SynchronousQueue<>();
            Thread reader = new Thread(() -> read(requests), "requests");
            reader.setDaemon(true);
            reader.start();
            Leftovers leftovers = own ? null : new Leftovers();
            answer(answers, 0, true);
            for (int run = 1; ; run++) {
                String[] request = requests.take();
                int start = 2 + 2 * Integer.parseInt(request[1]);
                if (!own) {
                    surroundings.enter(request[0], variables(request, start));
                }
                int code = exits.codeOf(program, Arrays.copyOfRange(request, start, request.length));
                boolean again = (own || leftovers.end(exits)) && exits.mayGoOn() && run < MOST_RUNS;
                program.end();
                if (!own) {
                    surroundings.leave();
                }
                answer(answers, code, again && !isFull());
            }
        }
    }

    private static boolean isFull() {
        if (used() > FULLER) {
            System.gc();
        }
        return used() > FULL;
    }

    private static double used() {
        Runtime runtime = Runtime.getRuntime();
        return (double) (runtime.totalMemory() - runtime.freeMemory()) / runtime.maxMemory();
    }

    private static Map<String, String> variables(String[] request, int end) {
        Map<String, String> found = new HashMap<>();
        for (int at = 2; at < end; at += 2) {
            found.put(request[at], request[at + 1]);
        }
        return found;
    }

    private static void answer(DataOutputStream answers, int code, boolean again) throws IOException {
        System.out.flush();
        System.err.flush();
        answers.writeInt(code);
        answers.writeByte(again ? 1 : 0);
        answers.flush();
    }

    /** Whoever asks is gone when the input ends, so the process ends at once with all that it started. */
    private static void read(SynchronousQueue<String[]> requests) {
        try (InputStream raw = new FileInputStream(FileDescriptor.in)) {
            DataInputStream input = new DataInputStream(raw);
            while (true) {
                String[] request = new String[input.readInt()];
                for (int at = 0; at < request.length; at++) {
                    byte[] text = new byte[input.readInt()];
                    input.readFully(text);
                    request[at] = new String(text, StandardCharsets.UTF_8);
                }
                requests.put(request);
            }
        } catch (IOException | InterruptedException end) {
            ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
            Runtime.getRuntime().halt(0);
        }
    }
}
