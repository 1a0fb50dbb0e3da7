package warm;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/** The class files of a jar in its order, by internal name, with a digest of each. */
final class Candidate {
    private static final String SUFFIX = ".class";

    private final Map<String, byte[]> classes = new LinkedHashMap<>();
    private final Map<String, String> digests = new HashMap<>();
    private final Map<String, List<String>> families = new HashMap<>();
    private boolean plain = true;

    Candidate(byte[] jar) throws IOException {
        MessageDigest digest;
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
        Set<String> folded = new HashSet<>();
        try (ZipInputStream entries = new ZipInputStream(new ByteArrayInputStream(jar))) {
            for (ZipEntry entry = entries.getNextEntry(); entry != null; entry = entries.getNextEntry()) {
                String file = entry.getName();
                if (file.startsWith("META-INF/") && file.endsWith(SUFFIX)) {
                    plain = false;
                } else if (file.endsWith(SUFFIX)) {
                    String name = file.substring(0, file.length() - SUFFIX.length());
                    byte[] bytes = entries.readAllBytes();
                    classes.put(name, bytes);
                    digests.put(name, Base64.getEncoder().encodeToString(digest.digest(bytes)));
                    plain &= folded.add(name.toLowerCase(Locale.ROOT)) && !Platform.has(name)
                            && name.charAt(name.lastIndexOf('/') + 1) != '$';
                }
            }
        }
        for (String name : classes.keySet()) {
            families.computeIfAbsent(outermost(name), key -> new ArrayList<>()).add(name);
        }
    }

    /** The class that a nested class is in, by its name, and a class that is in none itself. */
    private String outermost(String name) {
        for (int dollar = name.indexOf('$', 1); dollar > 0; dollar = name.indexOf('$', dollar + 1)) {
            if (classes.containsKey(name.substring(0, dollar))) {
                return name.substring(0, dollar);
            }
        }
        return name;
    }

    /**
     * False where classes cannot be taken one by one: names that differ in case only, versions for other Javas, classes
     * that stand before the JDK's own, names that begin with a dollar sign. CFR takes the latter for nested classes
     * until it has read the class.
     */
    boolean plain() {
        return plain;
    }

    Set<String> names() {
        return classes.keySet();
    }

    byte[] bytes(String name) {
        return classes.get(name);
    }

    /** Null for a class that is not there. */
    String digest(String name) {
        return digests.get(name);
    }

    /** How many of the classes are the same in {@code other}. */
    int common(Candidate other) {
        int count = 0;
        for (Map.Entry<String, String> entry : digests.entrySet()) {
            count += entry.getValue().equals(other.digests.get(entry.getKey())) ? 1 : 0;
        }
        return count;
    }

    /** An outermost class, and those whose names begin with that of it and a dollar sign, in the order of the jar. */
    List<String> family(String outer) {
        return families.getOrDefault(outer, Collections.emptyList());
    }
}
