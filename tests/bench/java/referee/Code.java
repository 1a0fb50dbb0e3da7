package referee;

import java.nio.ByteBuffer;
import java.util.Set;

/** The instructions of one method, scanned for what they refer to (JVMS 6.5). */
final class Code {
    private static final int LDC = 0x12;
    private static final int LDC_W = 0x13;
    private static final int LDC2_W = 0x14;
    private static final int IINC = 0x84;
    private static final int TABLESWITCH = 0xaa;
    private static final int LOOKUPSWITCH = 0xab;
    private static final int GETSTATIC = 0xb2;
    private static final int PUTSTATIC = 0xb3;
    private static final int GETFIELD = 0xb4;
    private static final int PUTFIELD = 0xb5;
    private static final int INVOKEVIRTUAL = 0xb6;
    private static final int INVOKESPECIAL = 0xb7;
    private static final int INVOKESTATIC = 0xb8;
    private static final int INVOKEINTERFACE = 0xb9;
    private static final int INVOKEDYNAMIC = 0xba;
    private static final int NEW = 0xbb;
    private static final int WIDE = 0xc4;

    /** Bytes of each instruction; 0 for those whose length varies. */
    private static final String LENGTHS = "1".repeat(16) + "2323" + "3" + "2".repeat(5) + "1".repeat(28)
            + "2".repeat(5) + "1".repeat(73) + "3" + "1".repeat(20) + "3".repeat(16) + "2" + "00" + "1".repeat(6)
            + "3".repeat(7) + "55" + "3" + "2" + "3" + "11" + "33" + "11" + "0" + "4" + "33" + "55";

    private final ClassData owner;
    private final ByteBuffer code;
    private final int end;
    private final boolean initialises;

    Code(ClassData owner, byte[] attribute, boolean initialises) {
        this.owner = owner;
        this.code = ByteBuffer.wrap(attribute);
        this.end = 8 + code.getInt(4);
        this.initialises = initialises;
    }

    void collect(Set<Record> uses) {
        int at = 8;
        while (at < end) {
            int opcode = code.get(at) & 0xff;
            use(opcode, at, uses);
            at += length(opcode, at);
        }
        int handlers = code.getShort(end) & 0xffff;
        for (int i = 0; i < handlers; i++) {
            int type = code.getShort(end + 2 + 8 * i + 6) & 0xffff;
            if (type != 0) {
                uses.add(new ClassData.TypeUse(owner.typeName(type), false));
            }
        }
    }

    private int length(int opcode, int at) {
        int padded = 8 + ((at - 8) / 4 + 1) * 4;
        return switch (opcode) {
            case TABLESWITCH -> padded + 12 + 4 * (code.getInt(padded + 8) - code.getInt(padded + 4) + 1) - at;
            case LOOKUPSWITCH -> padded + 8 + 8 * code.getInt(padded + 4) - at;
            case WIDE -> (code.get(at + 1) & 0xff) == IINC ? 6 : 4;
            default -> LENGTHS.charAt(opcode) - '0';
        };
    }

    private void use(int opcode, int at, Set<Record> uses) {
        switch (opcode) {
            case LDC -> constant(code.get(at + 1) & 0xff, uses);
            case LDC_W, LDC2_W -> constant(code.getShort(at + 1) & 0xffff, uses);
            case GETSTATIC -> member(2, at, uses);
            case PUTSTATIC -> member(4, at, uses);
            case GETFIELD -> member(1, at, uses);
            case PUTFIELD -> member(3, at, uses);
            case INVOKEVIRTUAL -> member(5, at, uses);
            case INVOKESPECIAL -> member(7, at, uses);
            case INVOKESTATIC -> member(6, at, uses);
            case INVOKEINTERFACE -> member(9, at, uses);
            case INVOKEDYNAMIC -> dynamic(code.getShort(at + 1) & 0xffff, uses);
            // new; anewarray, checkcast, instanceof, multianewarray
            case NEW, 0xbd, 0xc0, 0xc1, 0xc5 -> uses.add(new ClassData.TypeUse(
                    owner.typeName(code.getShort(at + 1) & 0xffff), opcode == NEW));
            default -> {}
        }
    }

    private void member(int kind, int at, Set<Record> uses) {
        int index = code.getShort(at + 1) & 0xffff;
        String[] parts = owner.reference(index);
        boolean creates = kind == 7 && parts[1].equals("<init>");
        uses.add(new ClassData.MemberUse(
                creates ? 8 : kind,
                parts[0],
                parts[1],
                parts[2],
                owner.tag(index) == 11,
                // Final fields may be written where the class or the object is made.
                (kind == 3 || kind == 4) && !initialises));
    }

    private void constant(int index, Set<Record> uses) {
        switch (owner.tag(index)) {
            case 7 -> uses.add(new ClassData.TypeUse(owner.typeName(index), false));
            case 17 -> dynamic(index, uses);
            case 15, 16 -> uses.add(new Constant(index));
            default -> {}
        }
    }

    private void dynamic(int index, Set<Record> uses) {
        int[] parts = owner.indexes(index);
        int[] both = owner.indexes(parts[1]);
        uses.add(new ClassData.DynamicUse(parts[0], owner.text(both[0]), owner.text(both[1])));
    }

    /** A method handle or method type that is loaded as a constant. */
    record Constant(int index) {}
}
