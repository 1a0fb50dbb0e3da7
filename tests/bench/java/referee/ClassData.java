package referee;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A class file, read as far as the referee needs it (JVMS 4). Names are internal. */
final class ClassData {
    static final int STATIC = 0x8;
    static final int FINAL = 0x10;
    static final int PRIVATE = 0x2;
    static final int INTERFACE = 0x200;
    static final int ABSTRACT = 0x400;
    static final int MODULE = 0x8000;

    /** A field or method: its flags and the contents of its attributes. */
    record Member(int access, String name, String descriptor, Map<String, byte[]> attributes) {
        String key() {
            return name + ":" + descriptor;
        }
    }

    /**
     * What an instruction does with a member. {@code kind} is a reference kind of JVMS 4.4.8, {@code late} whether it
     * writes to a field outside of initialisers.
     */
    record MemberUse(int kind, String owner, String name, String descriptor, boolean ofInterface, boolean late) {}

    /** A class that an instruction or handler names; {@code creates}: it is {@code new}. */
    record TypeUse(String name, boolean creates) {}

    /** An {@code invokedynamic} or dynamic constant. */
    record DynamicUse(int bootstrap, String name, String descriptor) {}

    /** A bootstrap method's handle and static arguments: indexes into the pool. */
    record Bootstrap(int handle, int[] arguments) {}

    final int major;
    final int access;
    final String name;
    final String superclass;
    final List<String> interfaces = new ArrayList<>();
    final Map<String, Member> fields;
    final Map<String, Member> methods;
    final Map<String, byte[]> attributes;
    final List<Bootstrap> bootstraps = new ArrayList<>();

    private final Object[] pool;
    private final int[] tags;

    ClassData(byte[] bytes) {
        try {
            DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
            in.readInt();
            in.readUnsignedShort();
            major = in.readUnsignedShort();
            int count = in.readUnsignedShort();
            pool = new Object[count];
            tags = new int[count];
            readPool(in);
            access = in.readUnsignedShort();
            name = typeName(in.readUnsignedShort());
            int parent = in.readUnsignedShort();
            superclass = parent == 0 ? null : typeName(parent);
            for (int left = in.readUnsignedShort(); left > 0; left--) {
                interfaces.add(typeName(in.readUnsignedShort()));
            }
            fields = readMembers(in);
            methods = readMembers(in);
            attributes = readAttributes(in);
            readBootstraps();
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
    }

    boolean is(int flag) {
        return (access & flag) != 0;
    }

    int tag(int index) {
        return tags[index];
    }

    String text(int index) {
        return (String) pool[index];
    }

    /** The name of a Class constant, or the text of any other constant that is one index to a text. */
    String typeName(int index) {
        return text(((int[]) pool[index])[0]);
    }

    /** The value of an Integer constant. */
    int number(int index) {
        return (Integer) pool[index];
    }

    int[] indexes(int index) {
        return (int[]) pool[index];
    }

    /** Reads the reference constant at {@code index}: {owner, name, descriptor}. */
    String[] reference(int index) {
        int[] parts = indexes(index);
        int[] both = indexes(parts[1]);
        return new String[] {typeName(parts[0]), text(both[0]), text(both[1])};
    }

    private void readPool(DataInputStream in) throws IOException {
        for (int i = 1; i < pool.length; i++) {
            tags[i] = in.readUnsignedByte();
            switch (tags[i]) {
                case 1 -> pool[i] = in.readUTF();
                case 3 -> pool[i] = in.readInt();
                case 4 -> in.readInt();
                case 5, 6 -> {
                    in.readLong();
                    i++;
                }
                case 7, 8, 16, 19, 20 -> pool[i] = new int[] {in.readUnsignedShort()};
                case 9, 10, 11, 12, 17, 18 -> pool[i] = new int[] {in.readUnsignedShort(), in.readUnsignedShort()};
                case 15 -> pool[i] = new int[] {in.readUnsignedByte(), in.readUnsignedShort()};
                default -> throw new IllegalStateException("constant of kind " + tags[i]);
            }
        }
    }

    private Map<String, Member> readMembers(DataInputStream in) throws IOException {
        Map<String, Member> members = new LinkedHashMap<>();
        for (int left = in.readUnsignedShort(); left > 0; left--) {
            int flags = in.readUnsignedShort();
            Member member = new Member(
                    flags, text(in.readUnsignedShort()), text(in.readUnsignedShort()), readAttributes(in));
            members.put(member.key(), member);
        }
        return members;
    }

    private Map<String, byte[]> readAttributes(DataInputStream in) throws IOException {
        Map<String, byte[]> found = new LinkedHashMap<>();
        for (int left = in.readUnsignedShort(); left > 0; left--) {
            String attribute = text(in.readUnsignedShort());
            found.put(attribute, in.readNBytes(in.readInt()));
        }
        return found;
    }

    private void readBootstraps() throws IOException {
        byte[] table = attributes.get("BootstrapMethods");
        if (table == null) {
            return;
        }
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(table));
        for (int left = in.readUnsignedShort(); left > 0; left--) {
            int handle = in.readUnsignedShort();
            int[] arguments = new int[in.readUnsignedShort()];
            for (int i = 0; i < arguments.length; i++) {
                arguments[i] = in.readUnsignedShort();
            }
            bootstraps.add(new Bootstrap(handle, arguments));
        }
    }

    /** The u2 numbers that make up an attribute, without the count at its start. */
    int[] table(String attribute) {
        byte[] content = attributes.get(attribute);
        return content == null ? new int[0] : numbers(content);
    }

    static int[] numbers(byte[] content) {
        int[] result = new int[content.length / 2 - 1];
        for (int i = 0; i < result.length; i++) {
            result[i] = (content[2 * i + 2] & 0xff) << 8 | content[2 * i + 3] & 0xff;
        }
        return result;
    }

    /** Everything that the code of the class refers to, each once: MemberUse, TypeUse and DynamicUse. */
    Set<Record> uses() {
        Set<Record> uses = new LinkedHashSet<>();
        for (Member method : methods.values()) {
            byte[] code = method.attributes().get("Code");
            if (code != null) {
                new Code(this, code, method.name().startsWith("<")).collect(uses);
            }
        }
        return uses;
    }
}
