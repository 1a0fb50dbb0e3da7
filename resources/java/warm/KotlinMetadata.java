package warm;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/**
 * Has kotlin-metadata-jvm read the annotation {@code kotlin.Metadata} of each class; a stack trace for each that it refuses.
 *
 * <p>{@code java -cp FOLDER:KOTLIN warm.KotlinMetadata JAR}; exit code 1 when there was a failure. Classes are parsed (JVMS 4)
 * and not loaded, so that nothing else of them matters. The library is called by name: these programs compile without it.
 */
public final class KotlinMetadata {
    private static final String SUFFIX = ".class";

    private final DataInputStream in;
    private Object[] constants;

    private KotlinMetadata(byte[] bytes) {
        in = new DataInputStream(new ByteArrayInputStream(bytes));
    }

    public static void main(String[] arguments) throws Exception {
        Class<?> annotation = Class.forName("kotlin.Metadata");
        Method make = Class.forName("kotlin.metadata.jvm.JvmMetadataUtil").getMethod("Metadata",
                Integer.class, int[].class, String[].class, String[].class, String.class, String.class, Integer.class);
        Method read = Class.forName("kotlin.metadata.jvm.KotlinClassMetadata").getMethod("readStrict", annotation);
        boolean failed = false;
        try (JarFile jar = new JarFile(Path.of(arguments[0]).toFile())) {
            List<JarEntry> entries = jar.stream().filter(entry -> entry.getName().endsWith(SUFFIX))
                    .sorted(Comparator.comparing(JarEntry::getName)).toList();
            for (JarEntry entry : entries) {
                String name = entry.getName();
                try {
                    Map<String, Object> values = new KotlinMetadata(jar.getInputStream(entry).readAllBytes()).values();
                    if (values != null) {
                        read.invoke(null, make.invoke(null, values.get("k"), ints(values.get("mv")), strings(values.get("d1")),
                                strings(values.get("d2")), values.get("xs"), values.get("pn"), values.get("xi")));
                    }
                } catch (InvocationTargetException | IOException failure) {
                    failed = true;
                    System.err.print("Exception in class "
                            + name.substring(0, name.length() - SUFFIX.length()).replace('/', '.') + " ");
                    (failure.getCause() == null ? failure : failure.getCause()).printStackTrace();
                }
            }
        }
        System.exit(failed ? 1 : 0);
    }

    /** The values of the class's annotation {@code kotlin.Metadata}; null if it has none. */
    private Map<String, Object> values() throws IOException {
        in.skipNBytes(8);
        constants = Constants.of(in);
        in.skipNBytes(6);
        in.skipNBytes(2L * in.readUnsignedShort());
        for (int membersOfKind = 0; membersOfKind < 2; membersOfKind++) {
            for (int count = in.readUnsignedShort(); count > 0; count--) {
                in.skipNBytes(6);
                for (int attributes = in.readUnsignedShort(); attributes > 0; attributes--) {
                    in.skipNBytes(2);
                    in.skipNBytes(in.readInt());
                }
            }
        }
        for (int attributes = in.readUnsignedShort(); attributes > 0; attributes--) {
            Object name = constant();
            int length = in.readInt();
            if (!"RuntimeVisibleAnnotations".equals(name)) {
                in.skipNBytes(length);
                continue;
            }
            for (int count = in.readUnsignedShort(); count > 0; count--) {
                Object type = constant();
                Map<String, Object> values = annotation();
                if ("Lkotlin/Metadata;".equals(type)) return values;
            }
        }
        return null;
    }

    private Object constant() throws IOException {
        return constants[in.readUnsignedShort()];
    }

    private Map<String, Object> annotation() throws IOException {
        Map<String, Object> values = new HashMap<>();
        for (int pairs = in.readUnsignedShort(); pairs > 0; pairs--) {
            values.put((String) constant(), value());
        }
        return values;
    }

    /** An {@code element_value}: an Integer, a String, an array; of other kinds, which the annotation has not, something. */
    private Object value() throws IOException {
        int tag = in.readUnsignedByte();
        switch (tag) {
            case 'e' -> in.skipNBytes(4);
            case '@' -> {
                in.skipNBytes(2);
                annotation();
            }
            case '[' -> {
                Object[] values = new Object[in.readUnsignedShort()];
                for (int index = 0; index < values.length; index++) values[index] = value();
                return values;
            }
            default -> {
                return constant();
            }
        }
        return null;
    }

    private static int[] ints(Object array) {
        return array == null ? null : List.of((Object[]) array).stream().mapToInt(Integer.class::cast).toArray();
    }

    private static String[] strings(Object array) {
        return array == null ? null : List.of((Object[]) array).toArray(String[]::new);
    }
}
