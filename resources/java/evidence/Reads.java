package evidence;

import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Has ZipFile tell the entries that it is asked for, ClassLoader the resources, FileInputStream the files that it opens,
 * and Throwable that one of its kind is made.
 */
public final class Reads implements ClassFileTransformer {
    private static final String STRING = "(Ljava/lang/String;";

    @Override
    public byte[] transform(
            ClassLoader loader, String name, Class<?> before, ProtectionDomain domain, byte[] data) {
        switch (name == null ? "" : name) {
            case "java/util/zip/ZipFile":
                byte[] changed = told(data, "getEntry", STRING, "entry");
                Notes.note("W", "reads"); // what a transformer throws nobody hears
                return changed;
            case "java/lang/ClassLoader": // one of the program's own may read jars inside a jar without ZipFile
                return told(data, "getResource|getResources|getResourceAsStream", STRING, "entry");
            case "java/io/FileInputStream":
                return told(data, "open", STRING, "file");
            case "java/lang/Throwable":
                return told(data, "fillInStackTrace", "()", "stack");
            default:
                return null;
        }
    }

    /** The class with methods that begin with a call of ours; if they take a text, that is handed on. */
    private static byte[] told(byte[] data, String methods, String start, String told) {
        ClassReader reader = new ClassReader(Versions.readable(data));
        ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
        boolean text = start.equals(STRING);
        reader.accept(
            new ClassVisitor(Opcodes.ASM9, writer) {
                @Override
                public MethodVisitor visitMethod(int access, String own, String type, String sign, String[] thrown) {
                    MethodVisitor next = super.visitMethod(access, own, type, sign, thrown);
                    boolean wanted = own.matches(methods) && type.startsWith(start) && (access & Opcodes.ACC_NATIVE) == 0;
                    return wanted ? new Told(next, told, text) : next;
                }
            },
            0);
        return Versions.restored(writer.toByteArray(), data);
    }

    /** Begins a method with a call that may be given its first argument. */
    private static final class Told extends MethodVisitor {
        private final String told;
        private final boolean text;

        Told(MethodVisitor next, String told, boolean text) {
            super(Opcodes.ASM9, next);
            this.told = told;
            this.text = text;
        }

        @Override
        public void visitCode() {
            super.visitCode();
            if (text) {
                visitVarInsn(Opcodes.ALOAD, 1);
            }
            String type = text ? "(Ljava/lang/String;)V" : "()V";
            visitMethodInsn(Opcodes.INVOKESTATIC, "evidence/Notes", told, type, false);
        }
    }
}
