package evidence;

import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Has every instruction that throws make an exception before, which notes the stack: the one that is thrown may have
 * been made long ago, or without a stack. Gives every instruction a line of its own, its offset and one, so that JaCoCo
 * records by instructions where it would by lines, and classes without line numbers too. It runs before JaCoCo's own
 * transformer.
 */
public final class Lines implements ClassFileTransformer {
    @Override
    public byte[] transform(
            ClassLoader loader, String name, Class<?> before, ProtectionDomain domain, byte[] data) {
        boolean ours = name == null || name.startsWith("org/jacoco/agent/") || name.startsWith("evidence/");
        return loader == null || ours || before != null ? null : numbered(data);
    }

    /**
     * The class with these lines, as one of Java 17 at most; null where ASM does not understand it. The same bytes give
     * the same bytes.
     */
    static byte[] numbered(byte[] data) {
        try {
            if (Versions.isPreview(data)) {
                return null;
            }
            ClassReader reader = new Labelled(Versions.readable(data));
            ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
            reader.accept(
                new ClassVisitor(Opcodes.ASM9, writer) {
                    @Override
                    public MethodVisitor visitMethod(
                            int access, String name, String type, String sign, String[] thrown) {
                        return new Numbering(super.visitMethod(access, name, type, sign, thrown));
                    }
                },
                0);
            return writer.toByteArray();
        } catch (RuntimeException strange) {
            return null;
        }
    }

    /** A label that knows its offset. */
    private static final class Place extends Label {
        private final int offset;

        Place(int offset) {
            this.offset = offset;
        }
    }

    /** Has a label at every offset of a method that has any: one without (no jump, no line) runs from end to end. */
    private static final class Labelled extends ClassReader {
        private Label[] filled;

        Labelled(byte[] data) {
            super(data);
        }

        @Override
        protected Label readLabel(int offset, Label[] labels) {
            if (filled != labels) { // the first of a method
                filled = labels;
                for (int each = 0; each < labels.length - 1; each++) {
                    labels[each] = new Place(each);
                }
            }
            return super.readLabel(offset, labels); // the last one is behind the code, where no line may be
        }
    }

    /** Makes a line of every label, in place of those that were there. */
    private static final class Numbering extends MethodVisitor {
        private static final String THROWN = "java/lang/Throwable";

        Numbering(MethodVisitor inner) {
            super(Opcodes.ASM9, inner);
        }

        @Override
        public void visitLabel(Label label) {
            super.visitLabel(label);
            if (label instanceof Place) {
                super.visitLineNumber(((Place) label).offset + 1, label);
            }
        }

        @Override
        public void visitInsn(int opcode) {
            if (opcode == Opcodes.ATHROW) { // in the words of java.base alone: a loader may hide our classes
                super.visitTypeInsn(Opcodes.NEW, THROWN);
                super.visitInsn(Opcodes.DUP);
                super.visitMethodInsn(Opcodes.INVOKESPECIAL, THROWN, "<init>", "()V", false);
                super.visitInsn(Opcodes.POP);
            }
            super.visitInsn(opcode);
        }

        @Override
        public void visitLineNumber(int line, Label start) {}
    }
}
