package referee;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Everything that is asked of one class. */
final class Judge {
    /** From this version of the class file on only initialisers may write final fields. */
    private static final int FINAL_ONCE = 53;

    private static final Set<String> POLYMORPHIC = Set.of("java/lang/invoke/MethodHandle", "java/lang/invoke/VarHandle");

    private final Candidate candidate;
    private final Problems problems;

    Judge(Candidate candidate, Problems problems) {
        this.candidate = candidate;
        this.problems = problems;
    }

    void type(String path) {
        ClassData data;
        try {
            data = candidate.data(path);
        } catch (RuntimeException damaged) {
            problems.jvm(path, "format", path, damaged.toString());
            return;
        }
        if (data.is(ClassData.MODULE) || path.endsWith("module-info")) {
            return;
        }
        Class<?> type;
        try {
            type = candidate.load(path);
        } catch (ClassNotFoundException | LinkageError error) {
            problems.jvm(path, "load", Problem.place(error), Problem.text(error));
            return;
        }
        if (type.getClassLoader() != candidate) {
            return; // the JDK has a class of this name, which comes first
        }
        try {
            Resolver.link(type);
        } catch (Throwable error) {
            problems.jvm(path, "link", Problem.place(error), Problem.text(error));
            return;
        }
        for (Record use : data.uses()) {
            use(type, data, use);
        }
        bootstraps(type, data);
        if (!data.is(ClassData.ABSTRACT | ClassData.INTERFACE)) {
            obligations(type, data);
        }
        new Metadata(candidate, problems, type, data).check();
    }

    private void use(Class<?> type, ClassData data, Record use) {
        if (use instanceof ClassData.TypeUse named) {
            Class<?> found = named(type, data, named.name());
            // Not the class's modifiers: those of a member class come from another place.
            ClassData made = found == null || !named.creates() ? null : candidate.data(named.name());
            if (made != null && made.is(ClassData.ABSTRACT)) {
                problems.jvm(data.name, "new", named.name(), "InstantiationError: " + named.name());
            }
        } else if (use instanceof ClassData.MemberUse member) {
            member(type, data, member);
        } else if (use instanceof ClassData.DynamicUse dynamic) {
            types(type, data, dynamic.descriptor());
            new Lambdas(candidate, problems, type, data).check(dynamic);
        } else if (use instanceof Code.Constant constant) {
            constant(type, data, constant.index());
        }
    }

    /** Loads a class that {@code type} names, with access control; null and a problem if that fails. */
    private Class<?> named(Class<?> type, ClassData data, String name) {
        try {
            Class<?> found = candidate.load(name);
            Resolver.lookup(type).accessClass(found);
            return found;
        } catch (ClassNotFoundException | LinkageError | IllegalAccessException error) {
            problems.jvm(data.name, "class", name, Problem.text(error));
            return null;
        }
    }

    /** Loads all classes of a descriptor, as for the type of a call site. */
    private void types(Class<?> type, ClassData data, String descriptor) {
        for (String name : Metadata.names(descriptor)) {
            named(type, data, name);
        }
    }

    private void member(Class<?> type, ClassData data, ClassData.MemberUse use) {
        String target = use.owner() + "." + use.name() + ":" + use.descriptor();
        if (POLYMORPHIC.contains(use.owner())) {
            types(type, data, use.descriptor());
            return; // a method that takes any arguments has no declaration with this descriptor
        }
        Class<?> owner = named(type, data, use.owner());
        if (owner == null) {
            return;
        }
        try {
            Resolver.Found found =
                    Resolver.resolve(use.kind(), owner, use.name(), use.descriptor(), type);
            String wrong = wrong(type, data, owner, use, found);
            if (wrong != null) {
                problems.jvm(data.name, "member", target, wrong);
            }
        } catch (Throwable error) {
            problems.jvm(data.name, "member", target, Problem.text(error));
        }
    }

    /** What the resolver leaves to those who ask it, or null. */
    private static String wrong(
            Class<?> type, ClassData data, Class<?> owner, ClassData.MemberUse use, Resolver.Found found) {
        if (use.kind() <= 4) {
            if (found.is(ClassData.STATIC) != (use.kind() % 2 == 0)) {
                return "IncompatibleClassChangeError: the field is " + (found.is(ClassData.STATIC) ? "" : "not ") + "static";
            }
            boolean late = use.late() && data.major >= FINAL_ONCE;
            if (use.kind() > 2 && found.is(ClassData.FINAL) && (found.owner() != type || late)) {
                return "IllegalAccessError: the field is final";
            }
            return null;
        }
        if (use.ofInterface() != owner.isInterface()) {
            return "IncompatibleClassChangeError: " + use.owner() + (owner.isInterface() ? " is" : " is not") + " an interface";
        }
        if (use.kind() == 7 && found.is(ClassData.ABSTRACT)) {
            return "AbstractMethodError: the method is abstract";
        }
        return null;
    }

    private void bootstraps(Class<?> type, ClassData data) {
        for (ClassData.Bootstrap bootstrap : data.bootstraps) {
            constant(type, data, bootstrap.handle());
            for (int argument : bootstrap.arguments()) {
                constant(type, data, argument);
            }
        }
    }

    private void constant(Class<?> type, ClassData data, int index) {
        switch (data.tag(index)) {
            case 7 -> named(type, data, data.typeName(index));
            case 16 -> types(type, data, data.typeName(index));
            case 17 -> types(type, data, data.text(data.indexes(data.indexes(index)[1])[1]));
            case 15 -> {
                int[] handle = data.indexes(index);
                String[] parts = data.reference(handle[1]);
                boolean ofInterface = data.tag(handle[1]) == 11;
                types(type, data, parts[2]);
                member(type, data, new ClassData.MemberUse(
                        handle[0], parts[0], parts[1], parts[2], ofInterface, handle[0] == 3 || handle[0] == 4));
            }
            default -> {}
        }
    }

    /** A concrete class has an implementation of everything that is abstract or a default method above it. */
    private void obligations(Class<?> type, ClassData data) {
        Set<String> seen = new HashSet<>();
        for (ClassData above : ancestors(candidate, data)) {
            boolean ofInterface = above.is(ClassData.INTERFACE);
            for (ClassData.Member method : above.methods.values()) {
                boolean virtual = (method.access() & (ClassData.STATIC | ClassData.PRIVATE)) == 0
                        && !method.name().startsWith("<");
                boolean owed = ofInterface || (method.access() & ClassData.ABSTRACT) != 0;
                if (virtual && owed && seen.add((ofInterface ? "I" : "C") + method.key())) {
                    obligation(type, data, above, method);
                }
            }
        }
    }

    private void obligation(Class<?> type, ClassData data, ClassData above, ClassData.Member method) {
        String wrong = null;
        try {
            // As for invokespecial, which tells where the method really is; an abstract one it refuses.
            Resolver.Found found = Resolver.resolve(7, type, method.name(), method.descriptor(), null);
            if (found.is(ClassData.STATIC)) {
                wrong = "IncompatibleClassChangeError: the implementation is static";
            } else if (above.is(ClassData.INTERFACE) && !found.is(0x1)) {
                wrong = "IllegalAccessError: the implementation is not public";
            } else if (found.owner() == type && !data.methods.containsKey(method.key())) {
                // The machine made a method that throws: nothing, or more than one default, is inherited.
                wrong = defaults(data, method) > 1
                        ? "IncompatibleClassChangeError: conflicting default methods"
                        : "AbstractMethodError: there is no implementation";
            }
        } catch (Throwable error) {
            wrong = Problem.text(error);
        }
        if (wrong != null) {
            problems.jvm(data.name, "abstract", method.key(), wrong + " (declared in " + above.name + ")");
        }
    }

    private long defaults(ClassData data, ClassData.Member method) {
        return ancestors(candidate, data).stream()
                .filter(above -> above.is(ClassData.INTERFACE))
                .map(above -> above.methods.get(method.key()))
                .filter(found -> found != null && (found.access() & (ClassData.ABSTRACT | ClassData.STATIC)) == 0)
                .count();
    }

    /** The class and all above it that can be found. */
    static List<ClassData> ancestors(Candidate candidate, ClassData data) {
        List<ClassData> result = new ArrayList<>();
        Set<String> seen = new LinkedHashSet<>(Set.of(data.name));
        Deque<ClassData> open = new ArrayDeque<>(List.of(data));
        while (!open.isEmpty()) {
            ClassData next = open.remove();
            result.add(next);
            List<String> parents = new ArrayList<>(next.interfaces);
            if (next.superclass != null) {
                parents.add(0, next.superclass);
            }
            for (String parent : parents) {
                ClassData above = seen.add(parent) ? candidate.data(parent) : null;
                if (above != null) {
                    open.add(above);
                }
            }
        }
        return result;
    }
}
