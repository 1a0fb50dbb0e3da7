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
 * FileOutputStream and Files those to be written, and Throwable that one of its kind is made.
 */
public final class Reads implements ClassFileTransformer {
    private static final String STRING = "(Ljava/lang/String;";

    @Override
    public byte[] transform(
            ClassLoader loader, String name, Class<?> before, ProtectionDomain domain, byte[] data) {
        switch (name == null ? "" : name) {
            case "java/util/zip/ZipFile":
                byte[] changed = told(data, "getEntry", STRING, "entry");
                changed = told(changed, "getInputStream", "(Ljava/util/zip/ZipEntry;", "opened");
                Notes.note("W", "reads"); // what a transformer throws nobody hears
                return changed;
            case "java/lang/ClassLoader": // one of the program's own may read jars inside a jar without ZipFile
                return told(data, "getResource|getResources|getResourceAsStream", STRING, "entry");
            case "java/io/FileInputStream":
                return told(told(data, "open", STRING, "file"), "open", STRING, "opened");
            case "java/util/jar/JarInputStream":
            case "java/util/zip/ZipInputStream":
                return told(data, "createZipEntry", STRING, "opened");
            case "java/io/FileOutputStream":
                return told(data, "open", STRING, "written");
            case "java/nio/file/Files":
                changed = told(data, "newOutputStream", "(Ljava/nio/file/Path;", "written");
                return told(changed, "newInputStream|newByteChannel", "(Ljava/nio/file/Path;", "opened");
            case "java/lang/Throwable":
                return told(told(data, "fillInStackTrace", "()", "stack"), "<init>", "(", "made");
            default:
                return null;
        }
    }

    /**
     * The class with methods that begin with a call of ours; if they take anything, the first of it is handed on. A
     * constructor ends with the call, which gets the object, and the text that the constructor takes first.
     */
    private static byte[] told(byte[] data, String methods, String start, String told) {
        ClassReader reader = new ClassReader(Versions.readable(data));
        ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
        reader.accept(
            new ClassVisitor(Opcodes.ASM9, writer) {
                @Override
                public MethodVisitor visitMethod(int access, String own, String type, String sign, String[] thrown) {
                    MethodVisitor next = super.visitMethod(access, own, type, sign, thrown);
                    if (!own.matches(methods) || !type.startsWith(start) || (access & Opcodes.ACC_NATIVE) != 0) return next;
                    if (own.equals("<init>")) return new Told(next, told, true, type.startsWith(STRING) ? "01" : "0");
                    String first = (access & Opcodes.ACC_STATIC) != 0 ? "0" : "1";
                    return new Told(next, told, false, start.equals("()") ? "" : first);
                }
            },
            0);
        return Versions.restored(writer.toByteArray(), data);
    }

    /** Begins or ends a method with a call. */
    private static final class Told extends MethodVisitor {
        private final String told;
        private final boolean atEnd;
        /** The numbers of the local variables that the call gets, a digit each. */
        private final String given;

        Told(MethodVisitor next, String told, boolean atEnd, String given) {
            super(Opcodes.ASM9, next);
            this.told = told;
            this.atEnd = atEnd;
            this.given = given;
        }

        @Override
        public void visitCode() {
            super.visitCode();
            if (!atEnd) {
                tell();
            }
        }

        @Override
        public void visitInsn(int code) {
            if (atEnd && code == Opcodes.RETURN) {
                tell();
            }
            super.visitInsn(code);
        }

        private void tell() {
            for (int each = 0; each < given.length(); each++) {
                visitVarInsn(Opcodes.ALOAD, given.charAt(each) - '0');
            }
            String type = "(" + given.replaceAll(".", "Ljava/lang/Object;") + ")V";
            visitMethodInsn(Opcodes.INVOKESTATIC, "evidence/Notes", told, type, false);
        }
    }
}
