package tool;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * The ends of a program. Where the JDK asks before a process ends, the process stays, and the thread that wants to end
 * it never goes on. From JDK 24 on nobody is asked: the process ends.
 */
final class Exits {
    /** Threads that stay for good, with what they hold, in one process. */
    private static final int MOST_HELD = 100;

    private final BlockingQueue<Integer> codes = new LinkedBlockingQueue<>();
    private final Set<Thread> held = new HashSet<>();
    private volatile Thread main;
    private volatile boolean broken;

    @SuppressWarnings({"deprecation", "removal"})
    static Exits guarded() {
        Exits exits = new Exits();
        if (Runtime.version().feature() < 24) {
            System.setSecurityManager(new SecurityManager() {
                @Override
                public void checkPermission(java.security.Permission permission) {}

                @Override
                public void checkPermission(java.security.Permission permission, Object context) {}

                @Override
                public void checkExit(int code) {
                    if (Thread.currentThread() == exits.main) {
                        exits.hold(code & 0xff);
                    } // another thread ends the process
                }
            });
        }
        return exits;
    }

    /** Returns the exit code of a program that runs in a thread of its own. */
    int codeOf(Program program, String[] words) throws InterruptedException {
        main = new Thread(() -> codes.add(run(program, words)), "main");
        main.start();
        return codes.take();
    }

    synchronized boolean isHeld(Thread thread) {
        return held.contains(thread);
    }

    /** Returns false after an error of the virtual machine, and where too many threads stay. */
    synchronized boolean mayGoOn() {
        return !broken && held.size() < MOST_HELD;
    }

    private int run(Program program, String[] words) {
        try {
            return program.run(words);
        } catch (Throwable thrown) {
            broken = thrown instanceof VirtualMachineError;
            System.err.print("Exception in thread \"main\" ");
            thrown.printStackTrace();
            return 1;
        }
    }

    private void hold(int code) {
        synchronized (this) {
            held.add(main);
        }
        codes.add(code);
        while (true) {
            try {
                Thread.sleep(Long.MAX_VALUE);
            } catch (InterruptedException goesOn) {
                continue;
            }
        }
    }
}
