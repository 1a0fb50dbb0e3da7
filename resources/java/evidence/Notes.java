package evidence;

import java.io.ByteArrayOutputStream;
import java.io.FileOutputStream;
import java.io.PrintStream;
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
    /** A text for each of the last exceptions, in a ring, with the class file that its thread had opened last. */
    private static final String[] MADE = new String[100];
    private static int made;
    /** The class file that a thread has opened last, and the one before. */
    private static final ThreadLocal<String[]> OPENED = new ThreadLocal<>();

    private Notes() {}

    public static synchronized void begin(String file) throws java.io.IOException {
        out = new FileOutputStream(file, true);
        Runtime.getRuntime().addShutdownHook(new End());
        System.setOut(new Heard(System.out));
        System.setErr(new Heard(System.err));
    }

    /** Called by the JDK's own code: an entry of a zip file or a file is opened. */
    public static synchronized void opened(Object asked) {
        String name = asked == null ? "" : asked.toString();
        if (!busy && name.endsWith(".class")) {
            OPENED.set(new String[] {name, last()});
        }
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

    private static String last() {
        String[] both = OPENED.get();
        return both == null ? "" : both[0];
    }

    /** A class is loaded: its file was opened for that, so the one before is the last one that the program reads. */
    public static synchronized void loaded(String name) {
        String[] both = OPENED.get();
        if (both != null && both[0].endsWith(name + ".class")) {
            OPENED.set(new String[] {both[1], ""});
        }
        note("C", name);
    }

    /** Called by the JDK's own code: an exception without a message is made. */
    public static void made(Object exception) {
        made(exception, null);
    }

    /** Called by the JDK's own code: an exception has its message. No code of the exception's class runs for the text. */
    public static synchronized void made(Object exception, Object message) {
        if (!busy) {
            String name = exception.getClass().getName();
            MADE[made++ % MADE.length] = (message == null ? name : name + ": " + message) + "\t" + last();
        }
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
        String[] last = MADE.clone(); // what follows may make more
        for (int each = Math.max(0, made - last.length), end = made; each < end; each++) {
            line("T", last[each % last.length]);
        }
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

    private static synchronized void line(String kind, String text) {
        KNOWN.remove(kind + " " + text.replace("\n", " ") + "\n");
        note(kind, text);
    }

    /** A stream of the program that notes each line. */
    private static final class Heard extends PrintStream {
        private final ByteArrayOutputStream line = new ByteArrayOutputStream();
        /** Number of bytes that are still heard. */
        private int left = 1 << 20;

        Heard(PrintStream to) {
            super(to, true);
        }

        @Override
        public void write(int letter) {
            hear(letter);
            super.write(letter);
        }

        @Override
        public void write(byte[] letters, int from, int count) {
            for (int each = from; each < from + count; each++) {
                hear(letters[each]);
            }
            super.write(letters, from, count);
        }

        private synchronized void hear(int letter) {
            if (left-- <= 0) {
                return;
            }
            if (letter != '\n') {
                line.write(letter);
            } else {
                line("P", line.toString());
                line.reset();
            }
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
