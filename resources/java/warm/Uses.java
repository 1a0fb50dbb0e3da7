package warm;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import javax.lang.model.SourceVersion;

/**
 * Writes a source file that names each public class of a jar, for a compiler that is to read them all.
 *
 * <p>{@code java -cp FOLDER warm.Uses JAR FILE}; the language is that of the file's name: java, scala, kt, groovy. A class
 * that is inside another one is named if it is static and all around it are public. Classes of the same language are
 * left out: its compiler has rules of its own for what is visible. So are names that the language cannot write, and
 * nested classes with a dollar in their own names, such as modules of Scala.
 */
public final class Uses {
    private static final String SUFFIX = ".class";
    private static final int PUBLIC = 0x1, STATIC = 0x8, SYNTHETIC = 0x1000, MODULE = 0x8000;
    private static final Set<String> CONTEXTUAL = Set.of("permits", "record", "sealed", "var", "yield"); // JLS 3.9
    private static final int MOST = 500; // methods of a class: a class file has no room for all of a large jar
    private static final Map<String, List<String>> OWN = Map.of(
            "java", List.of(), "groovy", List.of(), "kt", List.of("Lkotlin/Metadata;"),
            "scala", List.of("Lscala/reflect/ScalaSignature;", "Lscala/reflect/ScalaLongSignature;", "TASTY", "Scala"));

    private final Map<String, Found> classes = new TreeMap<>();
    private final String language;

    /** A public class: its name here, the class around it or null, and the number of its type parameters. */
    private record Found(String simple, String outer, int parameters) {}

    private Uses(String language) {
        this.language = language;
    }

    public static void main(String[] arguments) throws IOException {
        String file = arguments[1];
        Uses uses = new Uses(file.substring(file.lastIndexOf('.') + 1));
        try (ZipInputStream jar = new ZipInputStream(Files.newInputStream(Path.of(arguments[0])))) {
            for (ZipEntry entry; (entry = jar.getNextEntry()) != null; ) {
                String name = entry.getName();
                if (name.endsWith(SUFFIX) && !name.startsWith("META-INF/")) {
                    name = name.substring(0, name.length() - SUFFIX.length());
                    byte[] bytes = jar.readAllBytes();
                    try {
                        uses.read(bytes, name);
                    } catch (IOException | RuntimeException damaged) {
                        uses.classes.put(name, new Found(name, null, 0)); // the compiler is to say so
                    }
                }
            }
        }
        Files.writeString(Path.of(file), uses.text());
    }

    private void read(byte[] bytes, String path) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
        in.skipNBytes(8);
        Object[] constants = Constants.of(in);
        int flags = in.readUnsignedShort(), self = in.readUnsignedShort();
        String own = (String) constants[(Integer) constants[self]], simple = own, outer = null;
        if (!own.equals(path) || OWN.get(language).stream().anyMatch(Arrays.asList(constants)::contains)) return;
        in.skipNBytes(2);
        in.skipNBytes(2L * in.readUnsignedShort());
        for (int kind = 0; kind < 2; kind++) {
            for (int count = in.readUnsignedShort(); count > 0; count--) {
                in.skipNBytes(6);
                for (int attributes = in.readUnsignedShort(); attributes > 0; attributes--) {
                    in.skipNBytes(2);
                    in.skipNBytes(in.readInt());
                }
            }
        }
        int parameters = 0;
        for (int attributes = in.readUnsignedShort(); attributes > 0; attributes--) {
            Object name = constants[in.readUnsignedShort()];
            int length = in.readInt();
            if ("Signature".equals(name)) {
                parameters = parameters((String) constants[in.readUnsignedShort()]);
            } else if ("InnerClasses".equals(name)) {
                for (int rows = in.readUnsignedShort(); rows > 0; rows--) {
                    int inner = in.readUnsignedShort(), around = in.readUnsignedShort(), called = in.readUnsignedShort();
                    int access = in.readUnsignedShort();
                    if (own.equals(constants[(Integer) constants[inner]])) {
                        if (around == 0 || called == 0 || (access & STATIC) == 0) return;
                        flags = access;
                        outer = (String) constants[(Integer) constants[around]];
                        simple = (String) constants[called];
                    }
                }
            } else {
                in.skipNBytes(length);
            }
        }
        if ((flags & (PUBLIC | SYNTHETIC | MODULE)) == PUBLIC) classes.put(own, new Found(simple, outer, parameters));
    }

    /** The number of type parameters that a class signature declares (JVMS 4.7.9.1). */
    private static int parameters(String signature) {
        if (!signature.startsWith("<")) return 0;
        int count = 0, place = 1;
        while (signature.charAt(place) != '>') {
            count++;
            place = signature.indexOf(':', place);
            while (signature.charAt(place) == ':') {
                place++;
                if (signature.charAt(place) != ':') place = pastType(signature, place);
            }
        }
        return count;
    }

    private static int pastType(String signature, int place) {
        while (signature.charAt(place) == '[') place++;
        if (signature.charAt(place) == 'T') return signature.indexOf(';', place) + 1;
        if (signature.charAt(place) != 'L') return signature.charAt(place) == '>' ? place : place + 1;
        for (int depth = 0; ; place++) {
            char letter = signature.charAt(place);
            depth += letter == '<' ? 1 : letter == '>' ? -1 : 0;
            if (letter == ';' && depth == 0) return place + 1;
        }
    }

    private String text() {
        StringBuilder text = new StringBuilder();
        List<String> types = new ArrayList<>();
        classes.forEach((name, found) -> {
            String type = type(name);
            if (type != null) types.add(type + arguments(found.parameters()));
        });
        String form = switch (language) {
            case "scala" -> "  def c%d(x: %s) = x.hashCode";
            case "kt" -> "  private fun c%d(x: %s) = x.hashCode()";
            default -> "  int c%d(%s x) { return x.hashCode(); }";
        };
        for (int number = 0; number < types.size(); number++) {
            if (number % MOST == 0) text.append(number == 0 ? "" : "}\n").append("class Uses").append(number).append(" {\n");
            text.append(form.formatted(number, types.get(number))).append('\n');
        }
        return text.append(types.isEmpty() ? "class Uses0 {}\n" : "}\n").toString();
    }

    /** The name of a class in the language; null if it has none there. */
    private String type(String name) {
        Found found = classes.get(name);
        if (found == null) return null;
        if (found.outer() != null) {
            String around = type(found.outer());
            return around == null || found.simple().contains("$") ? null : around + "." + quoted(found.simple());
        }
        boolean written = Stream.of(name.split("/")).allMatch(this::canBeWritten);
        return written ? Stream.of(name.split("/")).map(this::quoted).collect(Collectors.joining(".")) : null;
    }

    private boolean canBeWritten(String part) {
        return quotes() ? part.chars().allMatch(Character::isJavaIdentifierPart) && !part.contains("$")
                : SourceVersion.isIdentifier(part) && !SourceVersion.isKeyword(part) && !CONTEXTUAL.contains(part);
    }

    private boolean quotes() {
        return language.equals("scala") || language.equals("kt");
    }

    private String quoted(String part) {
        return quotes() ? "`" + part + "`" : part;
    }

    /** The arguments of a generic class. Java and Groovy do without. */
    private String arguments(int count) {
        if (count == 0 || !quotes()) return "";
        boolean scala = language.equals("scala");
        String each = String.join(", ", Collections.nCopies(count, scala ? "_" : "*"));
        return scala ? "[" + each + "]" : "<" + each + ">";
    }
}
