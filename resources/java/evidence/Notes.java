package evidence;

import java.io.FileOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;

/**
 * Where the notes go: a line each, written at once, since a program may end without a word. Loaded by the boot loader,
 * so that classes of the JDK see it.
 */
public final class Notes {
    private static final Set<String> KNOWN = new HashSet<>();
    private static final int MOST_STACKS = 20_000;
    private static FileOutputStream out;
    private static int stacks;
    private static boolean busy;

    private Notes() {}

    public static synchronized void begin(String file) throws java.io.IOException {
        out = new FileOutputStream(file, true);
        Runtime.getRuntime().addShutdownHook(new End());
    }

    /** Called by the JDK's own code: an entry of a zip file is asked for, by the methods that are under way. */
    public static synchronized void entry(Object asked) {
        String name = asked == null ? null : asked.toString();
        note("E", name);
        if (name == null || name.endsWith(".class")) {
            return;
        }
        StringBuilder stack = new StringBuilder();
        for (StackTraceElement frame : here()) {
            stack.append(frame.getClassName()).append(' ').append(frame.getMethodName()).append('\t');
        }
        note("R", stack + name);
    }

    /** Called by the JDK's own code: a file is opened to be read. */
    public static void file(Object name) {
        note("F", name == null ? null : name.toString());
    }

    /** Called by the JDK's own code: a file is opened to be written. */
    public static void written(Object name) {
        note("O", name == null ? null : name.toString());
    }

    /** Called by the JDK's own code: an exception is made. What is left by it may have no other record. */
    public static void stack() {
        frames(here());
    }

    private static synchronized StackTraceElement[] here() {
        if (busy || out == null || stacks >= MOST_STACKS) {
            return new StackTraceElement[0];
        }
        stacks++;
        busy = true; // the stack's own exception is none of the program's
        try {
            return Thread.currentThread().getStackTrace();
        } catch (Throwable problem) {
            return new StackTraceElement[0];
        } finally {
            busy = false;
        }
    }

    /** At the end: what is still under way, as everything is that leads to System.exit. */
    static void all() {
        for (StackTraceElement[] frames : Thread.getAllStackTraces().values()) {
            frames(frames);
        }
    }

    private static void frames(StackTraceElement[] frames) {
        for (StackTraceElement frame : frames) {
            note("S", frame.getClassName() + " " + frame.getMethodName() + " " + frame.getLineNumber());
        }
    }

    public static synchronized void note(String kind, String name) {
        if (busy || out == null || name == null) { // busy: what noting itself loads and reads
            return;
        }
        busy = true;
        try {
            String line = kind + " " + name.replace("\n", " ") + "\n";
            if (KNOWN.add(line)) {
                out.write(line.getBytes(StandardCharsets.UTF_8));
            }
        } catch (Throwable problem) {
            out = null;
        } finally {
            busy = false;
        }
    }

    /** Not a lambda: those are made by classes that the program may not have loaded yet. */
    private static final class End extends Thread {
        @Override
        public void run() {
            all();
        }
    }
}
