package tool;

import java.io.InputStream;
import java.io.PrintStream;
import java.lang.reflect.Field;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TimeZone;

/** The state of the process that a program may leave behind: it is put back, or tells that the process is used up. */
final class Leftovers {
    private final Properties properties = (Properties) System.getProperties().clone();
    private final InputStream in = System.in;
    private final Lasting out = new Lasting(System.out, "stdout.encoding");
    private final Lasting err = new Lasting(System.err, "stderr.encoding");
    private final Locale locale = Locale.getDefault();
    private final TimeZone zone = TimeZone.getDefault();
    private final Set<Thread> threads = new HashSet<>(Thread.getAllStackTraces().keySet());
    private final Set<Thread> hooks;
    private final Map<Thread, Thread> allHooks;
    private final Field files;

    @SuppressWarnings("unchecked")
    Leftovers() throws ReflectiveOperationException {
        System.setOut(out);
        System.setErr(err);
        Field field = Class.forName("java.lang.ApplicationShutdownHooks").getDeclaredField("hooks");
        field.setAccessible(true);
        allHooks = (Map<Thread, Thread>) field.get(null);
        hooks = Set.copyOf(allHooks.keySet());
        files = Class.forName("java.io.DeleteOnExitHook").getDeclaredField("files");
        files.setAccessible(true);
    }

    /** Does what the end of the process would do. Returns true if the process can run the program once more. */
    boolean end(Exits exits) throws ReflectiveOperationException, InterruptedException {
        boolean threadsEnd = waitForThreads(exits);
        runHooks();
        deleteFiles();
        boolean streams = System.out == out && System.err == err && !out.checkError() && !err.checkError();
        System.setIn(in);
        out.open();
        err.open();
        System.setOut(out);
        System.setErr(err);
        System.setProperties((Properties) properties.clone());
        Locale.setDefault(locale);
        TimeZone.setDefault(zone);
        return threadsEnd && streams && ProcessHandle.current().children().findAny().isEmpty();
    }

    /** A process ends with the last thread that is no daemon. Returns false if a daemon is left. */
    private boolean waitForThreads(Exits exits) throws InterruptedException {
        boolean alone = true;
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            boolean system = thread.getThreadGroup() == null || thread.getThreadGroup().getName().equals("system");
            boolean own = !system && !isJdks(thread) && !threads.contains(thread) && !exits.isHeld(thread);
            if (own && thread.isDaemon()) {
                alone = false;
            } else if (own) {
                thread.join();
            }
        }
        return alone;
    }

    /** The JDK's own threads are of classes of its own. */
    private static boolean isJdks(Thread thread) {
        return thread.getClass() != Thread.class && thread.getClass().getClassLoader() == null;
    }

    private void runHooks() throws InterruptedException {
        List<Thread> own = new ArrayList<>();
        for (Thread hook : List.copyOf(allHooks.keySet())) {
            if (!isJdks(hook) && !hooks.contains(hook)) {
                own.add(hook);
                allHooks.remove(hook);
            }
        }
        own.forEach(Thread::start);
        for (Thread hook : own) {
            hook.join();
        }
    }

    @SuppressWarnings("unchecked")
    private void deleteFiles() throws ReflectiveOperationException {
        LinkedHashSet<String> named = (LinkedHashSet<String>) files.get(null);
        List<String> last = new ArrayList<>(named);
        named.clear();
        Collections.reverse(last);
        last.forEach(name -> new java.io.File(name).delete());
    }

    /** An output that a program may close: it is lost to that run alone. */
    private static final class Lasting extends PrintStream {
        private volatile boolean closed;

        Lasting(PrintStream own, String encoding) {
            super(own, true, Charset.forName(System.getProperty(encoding, Charset.defaultCharset().name())));
        }

        void open() {
            closed = false;
        }

        @Override
        public void write(int data) {
            if (!closed) {
                super.write(data);
            }
        }

        @Override
        public void write(byte[] data, int from, int count) {
            if (!closed) {
                super.write(data, from, count);
            }
        }

        @Override
        public void close() {
            flush();
            closed = true;
        }
    }
}
