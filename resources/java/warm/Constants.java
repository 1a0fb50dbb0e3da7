package warm;

import java.io.DataInputStream;
import java.io.IOException;

/** The constant pool of a class file (JVMS 4.4), as far as our programs read it. */
final class Constants {
    private Constants() {}

    /**
     * The constants by their numbers: a text, the value of an integer, of a class the number of its name; others are null.
     */
    static Object[] of(DataInputStream in) throws IOException {
        Object[] constants = new Object[in.readUnsignedShort()];
        for (int index = 1; index < constants.length; index++) {
            int tag = in.readUnsignedByte();
            switch (tag) {
                case 1 -> constants[index] = in.readUTF();
                case 3 -> constants[index] = in.readInt();
                case 5, 6 -> {
                    in.skipNBytes(8);
                    index++;
                }
                case 7 -> constants[index] = in.readUnsignedShort();
                case 8, 16, 19, 20 -> in.skipNBytes(2);
                case 15 -> in.skipNBytes(3);
                case 4, 9, 10, 11, 12, 17, 18 -> in.skipNBytes(4);
                default -> throw new IOException("a constant has the tag " + tag);
            }
        }
        return constants;
    }
}
