package warm;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.reflect.Modifier;
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
    private final Map<String, List<String>> nested = new HashMap<>();
    private boolean plain = true;
    private final Map<String, Map<String, String>> rows = new HashMap<>();
    private final Map<String, Map<String, String>> placed = new HashMap<>();
    private final Set<String> listed = new HashSet<>();
    private boolean agrees = true;

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
                    plain &= folded.add(name.toLowerCase(Locale.ROOT)) && !Platform.has(name);
                }
            }
        }
        classes.forEach((name, bytes) -> {
            rows.put(name, Nesting.rows(bytes));
            placed.put(name, Nesting.placed(name, bytes));
        });
        rows.forEach((name, told) -> told.forEach((each, row) -> {
            agrees &= !rows.containsKey(each) || row.equals(rows.get(each).get(each));
            if (!each.equals(name) && !(classes.containsKey(each) && "".equals(Nesting.around(each, classes.get(each))))) {
                listed.add(each);
            }
        }));
        for (String name : classes.keySet()) {
            String outer = outermost(name);
            if (!outer.equals(name)) {
                nested.computeIfAbsent(outer, key -> new ArrayList<>()).add(name);
            }
        }
    }

    /**
     * False where classes cannot be taken one by one: names that differ in case only, versions for other Javas, classes
     * that stand before the JDK's own.
     */
    boolean plain() {
        return plain;
    }

    /**
     * False where a class says of another one how that is nested, and that does not say the same: then decompilers go by
     * what they read first.
     */
    boolean nestingAgrees() {
        return agrees;
    }

    /** True if the class says that it is nested. */
    boolean isNested(String name) {
        return rows.get(name).containsKey(name);
    }

    /** True if a class makes an object of a class that is nested in another outermost one and is not static. */
    boolean makesInnerOfOthers(String name) {
        return Nesting.made(classes.get(name)).stream()
                .anyMatch(each -> classes.containsKey(each) && isInner(each)
                        && !Nesting.outermost(each, rows::get).equals(Nesting.outermost(name, rows::get)));
    }

    private boolean isInner(String name) {
        String row = rows.get(name).get(name);
        return row != null && (Integer.parseInt(row.substring(0, row.indexOf(' '))) & Modifier.STATIC) == 0;
    }

    /** The outermost class that a class is in; itself where it is not nested, or does not say where. */
    String outermost(String name) {
        return Nesting.outermost(name, placed::get);
    }

    /** True if another class than this one says that this one is nested, and this one, if it says so too, says where. */
    boolean isListed(String name) {
        return listed.contains(name);
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

    /** The classes nested in {@code outer}, an outermost class, at any depth. */
    List<String> nested(String outer) {
        return nested.getOrDefault(outer, Collections.emptyList());
    }
}
