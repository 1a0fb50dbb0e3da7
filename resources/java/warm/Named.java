package warm;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The classes that a class file names: in its constants, descriptors and generic signatures. */
final class Named {
    static final int UTF8 = 1, LONG = 5, DOUBLE = 6;
    private static final int MAGIC_AND_VERSION = 8, CLASS = 7;
    /** Bytes of a constant behind its tag, by tag; 0 for none. */
    static final int[] SIZES = {0, 0, 0, 4, 4, 8, 8, 2, 2, 4, 4, 4, 4, 0, 0, 3, 2, 4, 4, 2, 2};
    private static final Pattern TYPE = Pattern.compile("L([^;<>:()\\[.]+)[;<]");

    private Named() {}

    /** Returns internal names; those up to the first damage of a class file that is damaged. */
    static Set<String> in(byte[] bytes) {
        Set<String> found = new TreeSet<>();
        try (DataInputStream input = new DataInputStream(new ByteArrayInputStream(bytes))) {
            input.skipBytes(MAGIC_AND_VERSION);
            String[] texts = new String[input.readUnsignedShort()];
            int[] classes = new int[texts.length];
            for (int number = 1; number < texts.length; number++) {
                int tag = input.readUnsignedByte();
                if (tag == UTF8) {
                    texts[number] = input.readUTF();
                } else if (tag == CLASS) {
                    classes[number] = input.readUnsignedShort();
                } else if (tag < SIZES.length && SIZES[tag] > 0) {
                    input.skipBytes(SIZES[tag]);
                    number += tag == LONG || tag == DOUBLE ? 1 : 0;
                } else {
                    break;
                }
            }
            for (int place : classes) {
                if (place > 0 && place < texts.length && texts[place] != null && !texts[place].startsWith("[")) {
                    found.add(texts[place]);
                }
            }
            for (String text : texts) {
                for (Matcher type = TYPE.matcher(text == null ? "" : text); type.find(); ) {
                    found.add(type.group(1));
                }
            }
        } catch (IOException damaged) {
            return found;
        }
        return found;
    }
}
