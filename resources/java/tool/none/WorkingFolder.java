package tool;

import java.io.IOException;

/** The system's {@code chdir} cannot be called from a JDK before 17, nor from 18 to 20. */
final class WorkingFolder {
    private WorkingFolder() {}

    static void change(String folder) throws IOException {
        throw new IOException("this JDK cannot change to " + folder);
    }
}
