package referee;

import java.util.Set;

/**
 * Loads the libraries once for all candidates: they take most of the time where they are many.
 *
 * <p>Classes of a package that the full input has too are left to the candidates, since packages of two loaders are two
 * packages. A library that asks for such a class needs one loader for all: then {@link #refused} tells that nothing can
 * be shared.
 */
final class Libraries extends ClassLoader {
    private final ClassPath classPath;
    private final Set<String> packages;
    private boolean refused;

    /** {@code packages} are those of the full input, with dots. */
    Libraries(ClassPath classPath, Set<String> packages) {
        super(ClassLoader.getPlatformClassLoader());
        this.classPath = classPath;
        this.packages = packages;
    }

    /** Whether the class is in a package of the full input. */
    boolean isOfInput(String name) {
        return packages.contains(name.substring(0, Math.max(0, name.lastIndexOf('.'))));
    }

    boolean refused() {
        return refused;
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        if (isOfInput(name)) {
            refused = true;
            throw new ClassNotFoundException(name);
        }
        Class<?> tool = Candidate.tool(name);
        if (tool != null) {
            return tool;
        }
        byte[] data = classPath.bytes(name.replace('.', '/'));
        if (data == null) {
            throw new ClassNotFoundException(name);
        }
        return defineClass(name, data, 0, data.length);
    }
}
