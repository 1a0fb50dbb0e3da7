package warm;

import java.util.HashMap;
import java.util.Map;

/** Which classes are the JDK's own: they are the same for every candidate that has no class of such a name. */
final class Platform {
    private static final ClassLoader LOADER = ClassLoader.getPlatformClassLoader();
    private static final Map<String, Boolean> KNOWN = new HashMap<>();

    private Platform() {}

    /** @param name internal name, {@code a/B} */
    static synchronized boolean has(String name) {
        return KNOWN.computeIfAbsent(name, asked -> LOADER.getResource(asked + ".class") != null);
    }
}
