package tool;

import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import jdk.incubator.foreign.CLinker;
import jdk.incubator.foreign.FunctionDescriptor;
import jdk.incubator.foreign.MemoryAddress;
import jdk.incubator.foreign.ResourceScope;

/** The system's {@code chdir}, with JDK 17. */
final class WorkingFolder {
    private static final MethodHandle CHDIR = CLinker.getInstance()
            .downcallHandle(
                    CLinker.systemLookup().lookup("chdir").get(),
                    MethodType.methodType(int.class, MemoryAddress.class),
                    FunctionDescriptor.of(CLinker.C_INT, CLinker.C_POINTER));

    private WorkingFolder() {}

    static void change(String folder) throws IOException {
        int code;
        try (ResourceScope scope = ResourceScope.newConfinedScope()) {
            code = (int) CHDIR.invokeExact(CLinker.toCString(folder, scope).address());
        } catch (Throwable thrown) {
            throw new IOException(thrown);
        }
        if (code != 0) {
            throw new IOException("cannot change to " + folder);
        }
    }
}
