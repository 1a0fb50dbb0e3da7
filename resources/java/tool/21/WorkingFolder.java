package tool;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** The system's {@code chdir}, with JDK 21: what JDK 22 has for good is a preview there. */
final class WorkingFolder {
    private static final MethodHandle CHDIR = Linker.nativeLinker()
            .downcallHandle(
                    Linker.nativeLinker().defaultLookup().find("chdir").get(),
                    FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS));

    private WorkingFolder() {}

    static void change(String folder) throws IOException {
        int code;
        try (Arena arena = Arena.ofConfined()) {
            code = (int) CHDIR.invokeExact(arena.allocateUtf8String(folder));
        } catch (Throwable thrown) {
            throw new IOException(thrown);
        }
        if (code != 0) {
            throw new IOException("cannot change to " + folder);
        }
    }
}
