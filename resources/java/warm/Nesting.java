package warm;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** What class files say about the nesting of classes, in their attributes InnerClasses and EnclosingMethod (JVMS 4.7.6,
 * 4.7.7), and of which they make objects. */
final class Nesting {
    private static final int MAGIC_AND_VERSION = 8, METHOD = 10;

    private final ByteBuffer bytes;
    private final int[] constants;

    private Nesting(byte[] classFile) {
        bytes = ByteBuffer.wrap(classFile).position(MAGIC_AND_VERSION);
        constants = new int[count()];
        for (int number = 1; number < constants.length; number++) {
            constants[number] = bytes.position();
            int tag = bytes.get();
            skip(tag == Named.UTF8 ? count() : Named.SIZES[tag]);
            number += tag == Named.LONG || tag == Named.DOUBLE ? 1 : 0;
        }
    }

    /**
     * Returns the rows of a class file, by the nested class: flags, simple name, and the outer class, which is empty for a
     * local or anonymous class. There are none in what is no class file.
     */
    static Map<String, String> rows(byte[] classFile) {
        return read(classFile, Nesting::rows, Map.of());
    }

    /**
     * Returns the class around a class, as this says: null if it does not say that it is nested, empty if it is local or
     * anonymous and does not say where, as in class files before Java 5.
     */
    static String around(String name, byte[] classFile) {
        String own = rows(classFile).get(name);
        String outer = own == null ? null : own.substring(own.lastIndexOf(' ') + 1);
        return "".equals(outer) ? read(classFile, Nesting::enclosing, "") : outer;
    }

    /** Returns the rows without that of the class itself, if it is not in a class around it by its name. */
    static Map<String, String> placed(String name, byte[] classFile) {
        Map<String, String> found = new HashMap<>(rows(classFile));
        String around = around(name, classFile);
        if (around == null || around.isEmpty() || !name.startsWith(around + "$")) {
            found.remove(name);
        }
        return found;
    }

    /**
     * Returns the outermost class that a class is in, by its name: itself if it does not say that it is nested, or if no
     * class around it, by its name, says so. A class that is not there is taken for what its name says.
     *
     * @param rows the rows of the class of an internal name, or null
     */
    static String outermost(String name, Function<String, Map<String, String>> rows) {
        Map<String, String> own = rows.apply(name);
        if (own != null && !own.containsKey(name)) {
            return name;
        }
        for (int dollar = name.lastIndexOf('$'); dollar > 0; dollar = name.lastIndexOf('$', dollar - 1)) {
            String around = name.substring(0, dollar);
            Map<String, String> others = rows.apply(around);
            if (others != null && (own == null || others.containsKey(name))) {
                return outermost(around, rows);
            }
        }
        return name;
    }

    /** Returns the classes of which a class file calls constructors, by their internal names. */
    static Set<String> made(byte[] classFile) {
        return read(classFile, Nesting::made, Set.of());
    }

    private static <T> T read(byte[] classFile, Function<Nesting, T> reader, T broken) {
        try {
            return reader.apply(new Nesting(classFile));
        } catch (BufferUnderflowException | IllegalArgumentException | IndexOutOfBoundsException failure) {
            return broken;
        }
    }

    private Set<String> made() {
        Set<String> found = new HashSet<>();
        for (int place : constants) {
            if (place > 0 && bytes.get(place) == METHOD) {
                int pair = constants[bytes.getShort(place + 3) & 0xFFFF];
                if (text(bytes.getShort(pair + 1) & 0xFFFF).equals("<init>")) {
                    found.add(className(bytes.getShort(place + 1) & 0xFFFF));
                }
            }
        }
        return found;
    }

    private Map<String, String> rows() {
        Map<String, String> found = new HashMap<>();
        for (int row = enter("InnerClasses") ? count() : 0; row > 0; row--) {
            String nested = className(count()), outer = className(count()), name = text(count());
            found.put(nested, count() + " " + name + " " + outer);
        }
        return found;
    }

    private String enclosing() {
        return enter("EnclosingMethod") ? className(count()) : "";
    }

    /** Goes from behind the constants to the first byte in an attribute of the class. Returns false if there is none. */
    private boolean enter(String attribute) {
        skip(6); // access flags, this class, superclass
        skip(2 * count()); // interfaces
        for (int kind = 0; kind < 2; kind++) { // fields, methods
            for (int member = count(); member > 0; member--) {
                skip(6);
                for (int left = count(); left > 0; left--) {
                    skip(2);
                    skip(bytes.getInt());
                }
            }
        }
        for (int left = count(); left > 0; left--) {
            boolean here = text(count()).equals(attribute);
            int size = bytes.getInt();
            if (here) {
                return true;
            }
            skip(size);
        }
        return false;
    }

    private String className(int constant) {
        return constant == 0 ? "" : text(bytes.getShort(constants[constant] + 1) & 0xFFFF);
    }

    private String text(int constant) {
        int place = constants[constant] + 1;
        return constant == 0 ? "" : new String(bytes.array(), place + 2, bytes.getShort(place) & 0xFFFF, StandardCharsets.UTF_8);
    }

    private int count() {
        return bytes.getShort() & 0xFFFF;
    }

    private void skip(int size) {
        bytes.position(bytes.position() + size);
    }
}
