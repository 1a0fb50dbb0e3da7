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
 * Gives every instruction a line of its own, its offset and one, so that JaCoCo records by instructions where it would
 * by lines, and classes without line numbers too. It runs before JaCoCo's own transformer.
 */
public final class Lines implements ClassFileTransformer {
    @Override
    public byte[] transform(
            ClassLoader loader, String name, Class<?> before, ProtectionDomain domain, byte[] data) {
        boolean ours = name == null || name.startsWith("org/jacoco/agent/") || name.startsWith("evidence/");
        return loader == null || ours || before != null ? null : numbered(data);
    }

    /** The class with these lines; null where ASM does not understand it. The same bytes give the same bytes. */
    static byte[] numbered(byte[] data) {
        try {
            Offsets reader = new Offsets(data);
            ClassWriter writer = new ClassWriter(reader, 0);
            reader.accept(
                new ClassVisitor(Opcodes.ASM9, writer) {
                    @Override
                    public MethodVisitor visitMethod(
                            int access, String name, String type, String sign, String[] thrown) {
                        return reader.told = new Numbering(super.visitMethod(access, name, type, sign, thrown));
                    }
                },
                0);
            return writer.toByteArray();
        } catch (RuntimeException strange) {
            return null;
        }
    }

    /** Tells the offset of each instruction before it is visited. */
    private static final class Offsets extends ClassReader {
        private Numbering told;

        Offsets(byte[] data) {
            super(data);
        }

        // ASM before 9.5 does not have it, and so no lines: then what ran is known by methods only
        protected void readBytecodeInstructionOffset(int offset) {
            told.next = offset;
        }
    }

    /** Puts a line before each instruction, in place of those that were there. */
    private static final class Numbering extends MethodVisitor {
        private int next = -1;

        Numbering(MethodVisitor inner) {
            super(Opcodes.ASM9, inner);
        }

        private void line() {
            if (next >= 0) {
                Label label = new Label();
                super.visitLabel(label);
                super.visitLineNumber(next + 1, label);
                next = -1;
            }
        }

        @Override
        public void visitLineNumber(int line, Label start) {}

        @Override
        public void visitInsn(int opcode) {
            line();
            super.visitInsn(opcode);
        }

        @Override
        public void visitIntInsn(int opcode, int operand) {
            line();
            super.visitIntInsn(opcode, operand);
        }

        @Override
        public void visitVarInsn(int opcode, int variable) {
            line();
            super.visitVarInsn(opcode, variable);
        }

        @Override
        public void visitTypeInsn(int opcode, String type) {
            line();
            super.visitTypeInsn(opcode, type);
        }

        @Override
        public void visitFieldInsn(int opcode, String owner, String name, String type) {
            line();
            super.visitFieldInsn(opcode, owner, name, type);
        }

        @Override
        public void visitMethodInsn(int opcode, String owner, String name, String type, boolean ofInterface) {
            line();
            super.visitMethodInsn(opcode, owner, name, type, ofInterface);
        }

        @Override
        public void visitInvokeDynamicInsn(
                String name, String type, org.objectweb.asm.Handle handle, Object... arguments) {
            line();
            super.visitInvokeDynamicInsn(name, type, handle, arguments);
        }

        @Override
        public void visitJumpInsn(int opcode, Label label) {
            line();
            super.visitJumpInsn(opcode, label);
        }

        @Override
        public void visitLdcInsn(Object value) {
            line();
            super.visitLdcInsn(value);
        }

        @Override
        public void visitIincInsn(int variable, int increment) {
            line();
            super.visitIincInsn(variable, increment);
        }

        @Override
        public void visitTableSwitchInsn(int low, int high, Label otherwise, Label... labels) {
            line();
            super.visitTableSwitchInsn(low, high, otherwise, labels);
        }

        @Override
        public void visitLookupSwitchInsn(Label otherwise, int[] keys, Label[] labels) {
            line();
            super.visitLookupSwitchInsn(otherwise, keys, labels);
        }

        @Override
        public void visitMultiANewArrayInsn(String type, int dimensions) {
            line();
            super.visitMultiANewArrayInsn(type, dimensions);
        }
    }
}
