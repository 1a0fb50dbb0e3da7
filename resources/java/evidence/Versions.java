package evidence;

/** Class files in a version that every ASM and every JaCoCo reads. */
final class Versions {
    /** Java 17 has sealed classes; nothing that came later is read in another way because of the version. */
    private static final int NEWEST = 61;

    private Versions() {}

    /** True for a class file with preview features: the virtual machine takes it in its own version alone. */
    static boolean isPreview(byte[] data) {
        return data[4] == -1 && data[5] == -1;
    }

    /** The class file as one of Java 17, if it is newer; else as it is. */
    static byte[] readable(byte[] data) {
        if (data[6] == 0 && data[7] <= NEWEST && data[7] > 0) {
            return data;
        }
        byte[] old = data.clone();
        old[6] = 0;
        old[7] = NEWEST;
        return old;
    }

    /** Gives a changed class file the version of the one that it was made from. */
    static byte[] restored(byte[] changed, byte[] data) {
        System.arraycopy(data, 4, changed, 4, 4);
        return changed;
    }
}
