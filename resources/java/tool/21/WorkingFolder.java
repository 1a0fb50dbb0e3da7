package tool;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;

/** The system's {@code chdir}, from JDK 21 on; there it is a preview. */
final class WorkingFolder {
    private static final MethodHandle CHDIR = Linker.nativeLinker()
            .downcallHandle(
                    Linker.nativeLinker().defaultLookup().find("chdir").get(),
                    FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS));

    private WorkingFolder() {}

    static void change(String folder) throws IOException {
        int code;
        try (Arena arena = Arena.ofConfined()) {
            byte[] text = folder.getBytes(StandardCharsets.UTF_8);
            MemorySegment name = arena.allocate(text.length + 1L); // zeroes: the last one ends the name
            name.asByteBuffer().put(text);
            code = (int) CHDIR.invokeExact(name);
        } catch (Throwable thrown) {
            throw new IOException(thrown);
        }
        if (code != 0) {
            throw new IOException("cannot change to " + folder);
        }
    }
}
