package referee;

import java.lang.invoke.LambdaConversionException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Lambdas and method references: what the JDK's factory checks when it links them, and that their methods exist. */
final class Lambdas {
    private static final String FACTORY = "java/lang/invoke/LambdaMetafactory";
    private static final Set<String> OBJECT = Set.of(
            "equals:(Ljava/lang/Object;)Z", "hashCode:()I", "toString:()Ljava/lang/String;");
    private static final int MARKERS = 2;
    private static final int BRIDGES = 4;
    private static final Constructor<?> NEW;
    private static final Method VALIDATE;

    static {
        try {
            NEW = Class.forName("java.lang.invoke.InnerClassLambdaMetafactory")
                    .getDeclaredConstructor(
                            MethodHandles.Lookup.class, MethodType.class, String.class, MethodType.class,
                            MethodHandle.class, MethodType.class, boolean.class, Class[].class, MethodType[].class);
            VALIDATE = Class.forName("java.lang.invoke.AbstractValidatingLambdaMetafactory")
                    .getDeclaredMethod("validateMetafactoryArgs");
            NEW.setAccessible(true);
            VALIDATE.setAccessible(true);
        } catch (ReflectiveOperationException error) {
            throw new ExceptionInInitializerError(error);
        }
    }

    private final Candidate candidate;
    private final Problems problems;
    private final Class<?> type;
    private final ClassData data;

    Lambdas(Candidate candidate, Problems problems, Class<?> type, ClassData data) {
        this.candidate = candidate;
        this.problems = problems;
        this.type = type;
        this.data = data;
    }

    void check(ClassData.DynamicUse use) {
        ClassData.Bootstrap bootstrap = data.bootstraps.get(use.bootstrap());
        String[] method = data.reference(data.indexes(bootstrap.handle())[1]);
        if (!method[0].equals(FACTORY)) {
            return;
        }
        String target = "lambda " + use.name() + ":" + use.descriptor() + " "
                + String.join(".", data.reference(data.indexes(bootstrap.arguments()[1])[1]));
        try {
            MethodType site = methodType(use.descriptor());
            int[] arguments = bootstrap.arguments();
            List<Class<?>> markers = new ArrayList<>();
            List<MethodType> bridges = new ArrayList<>();
            if (method[1].equals("altMetafactory")) {
                extras(arguments, markers, bridges);
            }
            Object factory = NEW.newInstance(
                    Resolver.lookup(type), site, use.name(),
                    methodType(data.typeName(arguments[0])), handle(arguments[1]),
                    methodType(data.typeName(arguments[2])), false, markers.toArray(Class[]::new),
                    bridges.toArray(MethodType[]::new));
            VALIDATE.invoke(factory);
            Set<String> provided = new HashSet<>();
            provided.add(use.name() + ":" + data.typeName(arguments[0]));
            bridges.forEach(bridge -> provided.add(use.name() + ":" + bridge.toMethodDescriptorString()));
            markers.add(0, site.returnType());
            implemented(target, use.name(), data.typeName(arguments[0]), markers, provided);
        } catch (InvocationTargetException error) {
            problems.jvm(data.name, "lambda", target, Problem.text(error.getCause()));
        } catch (ReflectiveOperationException | LambdaConversionException | LinkageError | RuntimeException error) {
            // A class or method that is missing is a finding of its own; this one tells that the lambda needs it.
            problems.jvm(data.name, "lambda", target, Problem.text(error));
        }
    }

    /** The method that the lambda is for exists, and nothing else that is abstract is left to it. */
    private void implemented(
            String target, String name, String descriptor, List<Class<?>> interfaces, Set<String> provided)
            throws LambdaConversionException {
        boolean declared = false;
        for (Class<?> face : interfaces) {
            ClassData start = candidate.data(face.getName().replace('.', '/'));
            for (ClassData above : start == null ? List.<ClassData>of() : Judge.ancestors(candidate, start)) {
                for (ClassData.Member method : above.methods.values()) {
                    declared |= method.key().equals(name + ":" + descriptor);
                    boolean isAbstract = above.is(ClassData.INTERFACE)
                            && (method.access() & (ClassData.ABSTRACT | ClassData.STATIC)) == ClassData.ABSTRACT
                            && !OBJECT.contains(method.key());
                    if (isAbstract && !provided.contains(method.key()) && staysAbstract(face, method)) {
                        problems.jvm(data.name, "lambda", target,
                                "AbstractMethodError: " + above.name + "." + method.key() + " is not implemented");
                    }
                }
            }
        }
        if (!declared) {
            problems.jvm(data.name, "lambda", target, "there is no method " + name + ":" + descriptor + " to implement");
        }
    }

    private static boolean staysAbstract(Class<?> face, ClassData.Member method) {
        try {
            return Resolver.resolve(9, face, method.name(), method.descriptor(), null).is(ClassData.ABSTRACT);
        } catch (Throwable error) {
            return true;
        }
    }

    private void extras(int[] arguments, List<Class<?>> markers, List<MethodType> bridges)
            throws ReflectiveOperationException {
        int flags = integer(arguments[3]);
        int at = 4;
        if ((flags & MARKERS) != 0) {
            int count = integer(arguments[at++]);
            for (int i = 0; i < count; i++) {
                markers.add(candidate.load(data.typeName(arguments[at++])));
            }
        }
        if ((flags & BRIDGES) != 0) {
            int count = integer(arguments[at++]);
            for (int i = 0; i < count; i++) {
                bridges.add(methodType(data.typeName(arguments[at++])));
            }
        }
    }

    private int integer(int index) {
        return data.number(index);
    }

    private MethodType methodType(String descriptor) {
        return MethodType.fromMethodDescriptorString(descriptor, candidate);
    }

    private MethodHandle handle(int index) throws ReflectiveOperationException {
        int[] handle = data.indexes(index);
        String[] parts = data.reference(handle[1]);
        MethodHandles.Lookup lookup = Resolver.lookup(type);
        Class<?> owner = candidate.load(parts[0]);
        MethodType signature = methodType(parts[2]);
        return switch (handle[0]) {
            case 6 -> lookup.findStatic(owner, parts[1], signature);
            case 7 -> lookup.findSpecial(owner, parts[1], signature, type);
            case 8 -> lookup.findConstructor(owner, signature);
            default -> lookup.findVirtual(owner, parts[1], signature);
        };
    }
}
