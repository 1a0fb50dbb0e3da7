package referee;

import java.util.HashMap;
import java.util.Map;

/** Loads the classes of one jar, with the JDK before them and the libraries behind: shared ones, or its own. */
final class Candidate extends ClassLoader {
    private final Map<String, byte[]> classes;
    private final ClassPath classPath;
    private final Libraries shared;
    private final Map<String, ClassData> parsed = new HashMap<>();

    /** {@code shared} is null if the candidate is to load the libraries itself. */
    Candidate(Map<String, byte[]> classes, ClassPath classPath, Libraries shared) {
        super(ClassLoader.getPlatformClassLoader());
        this.classes = classes;
        this.classPath = classPath;
        this.shared = shared;
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        String internal = name.replace('.', '/');
        byte[] data = classes.get(internal);
        if (data == null && shared != null && !shared.isOfInput(name)) {
            return shared.loadClass(name);
        }
        if (data == null) {
            Class<?> tool = tool(name);
            if (tool != null) {
                return tool;
            }
            data = classPath.bytes(internal);
        }
        if (data == null) {
            throw new ClassNotFoundException(name);
        }
        return defineClass(name, data, 0, data.length);
    }

    /** Classes of the JDK that the platform's loader does not see: those of its tools, such as the compiler. */
    static Class<?> tool(String name) {
        try {
            Class<?> found = Class.forName(name, false, Referee.class.getClassLoader());
            return found.getModule().isNamed() ? found : null;
        } catch (ClassNotFoundException | LinkageError error) {
            return null;
        }
    }

    /** The class called so, loaded but not initialised; {@code [Lp/C;} is an array. Throws what the machine throws. */
    Class<?> load(String internal) throws ClassNotFoundException {
        return Class.forName(internal.replace('/', '.'), false, this);
    }

    /** Whether the class can be loaded. */
    boolean has(String internal) {
        try {
            load(internal);
            return true;
        } catch (ClassNotFoundException | LinkageError error) {
            return false;
        }
    }

    /** The outline of a class of the jar, a library or the JDK, whichever {@link #load} would give, or null. */
    ClassData data(String internal) {
        ClassData own = parsed.get(internal);
        if (own == null && classes.containsKey(internal)) {
            own = new ClassData(classes.get(internal));
            parsed.put(internal, own);
        }
        return own == null ? classPath.data(internal) : own;
    }
}
