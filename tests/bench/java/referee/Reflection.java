package referee;

import java.lang.annotation.Annotation;
import java.lang.invoke.MethodType;
import java.lang.reflect.AnnotatedArrayType;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.AnnotatedWildcardType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.HashSet;
import java.util.Set;

/**
 * Reads all that reflection tells of a class; what throws is a finding of level "reflection".
 *
 * <p>Annotations are read with their values, so initialisers of the enums that they name run. Where the members of a
 * class cannot even be listed, the target is {@link #ALL}.
 */
final class Reflection {
    private static final String ALL = "all";

    private final Problems problems;
    private final Class<?> type;

    Reflection(Problems problems, Class<?> type) {
        this.problems = problems;
        this.type = type;
    }

    private interface Action {
        void run() throws Exception;
    }

    private interface Listing<T> {
        T[] list() throws Exception;
    }

    private interface Reader<T> {
        void read(T found) throws Exception;
    }

    void check() {
        surroundings();
        read("class", "type parameters", () -> variables(type.getTypeParameters()));
        read("class", "superclass", () -> superclass());
        read("class", "interfaces", () -> each(type.getGenericInterfaces(), new Walk()::type));
        read("class", "annotations", () -> annotations(type));
        read("class", "annotated supertypes", () -> {
            walk(type.getAnnotatedSuperclass());
            each(type.getAnnotatedInterfaces(), this::walk);
        });
        members("record components", type::getRecordComponents, this::component);
        members("fields", type::getDeclaredFields, this::field);
        members("methods", type::getDeclaredMethods, this::method);
        members("constructors", type::getDeclaredConstructors, this::constructor);
    }

    /** Nest, nesting and permitted subclasses. */
    private void surroundings() {
        read("class", "nest host", type::getNestHost);
        read("class", "nest members", type::getNestMembers);
        read("class", "permitted subclasses", type::getPermittedSubclasses);
        read("class", "enclosing class", type::getEnclosingClass);
        read("class", "enclosing method", type::getEnclosingMethod);
        read("class", "enclosing constructor", type::getEnclosingConstructor);
        read("class", "declaring class", type::getDeclaringClass);
        read("class", "declared classes", type::getDeclaredClasses);
        read("class", "name", type::getCanonicalName);
    }

    private void superclass() {
        if (type.getSuperclass() != null) {
            new Walk().type(type.getGenericSuperclass());
        }
    }

    private void component(RecordComponent found) {
        String key = found.getName();
        read("record components", key + " type", () -> new Walk().type(found.getGenericType()));
        read("record components", key + " annotations", () -> annotations(found));
        read("record components", key + " annotated type", () -> walk(found.getAnnotatedType()));
        read("record components", key + " accessor", found::getAccessor);
    }

    private void field(Field found) {
        String key = found.getName() + ":" + found.getType().descriptorString();
        read("fields", key + " type", () -> new Walk().type(found.getGenericType()));
        read("fields", key + " annotations", () -> annotations(found));
        read("fields", key + " annotated type", () -> walk(found.getAnnotatedType()));
    }

    private void method(Method found) {
        String key = found.getName() + ":"
                + MethodType.methodType(found.getReturnType(), found.getParameterTypes()).descriptorString();
        executable("methods", key, found);
        read("methods", key + " result", () -> new Walk().type(found.getGenericReturnType()));
        read("methods", key + " default", () -> value(found.getDefaultValue()));
    }

    private void constructor(Constructor<?> found) {
        String key = "<init>:" + MethodType.methodType(void.class, found.getParameterTypes()).descriptorString();
        executable("constructors", key, found);
    }

    private void executable(String section, String key, Executable found) {
        read(section, key + " type parameters", () -> variables(found.getTypeParameters()));
        read(section, key + " parameters", () -> each(found.getGenericParameterTypes(), new Walk()::type));
        read(section, key + " exceptions", () -> each(found.getGenericExceptionTypes(), new Walk()::type));
        read(section, key + " annotations", () -> annotations(found));
        read(section, key + " annotations of parameters", () -> {
            for (Parameter parameter : found.getParameters()) {
                annotations(parameter);
            }
        });
        read(section, key + " annotated types", () -> {
            walk(found.getAnnotatedReturnType());
            walk(found.getAnnotatedReceiverType());
            each(found.getAnnotatedParameterTypes(), this::walk);
            each(found.getAnnotatedExceptionTypes(), this::walk);
        });
    }

    private void variables(TypeVariable<?>[] variables) throws Exception {
        for (TypeVariable<?> variable : variables) {
            new Walk().type(variable);
            annotations(variable);
            each(variable.getAnnotatedBounds(), this::walk);
        }
    }

    /** An annotated type with all within it. */
    private void walk(AnnotatedType found) throws Exception {
        if (found == null) {
            return;
        }
        annotations(found);
        if (found instanceof AnnotatedParameterizedType generic) {
            each(generic.getAnnotatedActualTypeArguments(), this::walk);
        } else if (found instanceof AnnotatedArrayType array) {
            walk(array.getAnnotatedGenericComponentType());
        } else if (found instanceof AnnotatedWildcardType wildcard) {
            each(wildcard.getAnnotatedLowerBounds(), this::walk);
            each(wildcard.getAnnotatedUpperBounds(), this::walk);
        }
    }

    private void annotations(AnnotatedElement element) throws Exception {
        each(element.getAnnotations(), this::annotation);
    }

    private void annotation(Annotation annotation) throws Exception {
        for (Method element : annotation.annotationType().getDeclaredMethods()) {
            if (element.getParameterCount() > 0 || element.isSynthetic()) {
                continue;
            }
            try {
                element.setAccessible(true);
            } catch (InaccessibleObjectException foreign) {
                continue; // an annotation of the JDK that is not exported
            }
            try {
                value(element.invoke(annotation));
            } catch (InvocationTargetException error) {
                if (error.getCause() instanceof Exception cause) {
                    throw cause;
                }
                throw (Error) error.getCause();
            }
        }
    }

    private void value(Object value) throws Exception {
        if (value instanceof Annotation nested) {
            annotation(nested);
        } else if (value instanceof Object[] several) {
            each(several, this::value);
        }
    }

    private <T> void members(String section, Listing<T> listing, Reader<T> reader) {
        read(section, ALL, () -> {
            T[] found = listing.list();
            if (found != null) {
                each(found, reader);
            }
        });
    }

    private static <T> void each(T[] all, Reader<? super T> reader) throws Exception {
        for (T one : all) {
            reader.read(one);
        }
    }

    private void read(String section, String target, Action action) {
        try {
            action.run();
        } catch (Exception | LinkageError | InternalError | AssertionError | java.lang.annotation.AnnotationFormatError error) {
            String name = type.getName().replace('.', '/');
            problems.reflection(name, section, target, Problem.text(error));
        }
    }

    /** Goes through a generic type, each type variable once. */
    private static final class Walk {
        private final Set<Type> seen = new HashSet<>();

        void type(Type found) {
            if (found == null) {
                throw new TypeNotPresentException("a type variable that nothing declares", null);
            }
            if (found instanceof TypeVariable<?> variable) {
                if (seen.add(variable)) {
                    all(variable.getBounds());
                }
            } else if (found instanceof ParameterizedType generic) {
                if (generic.getOwnerType() != null) {
                    type(generic.getOwnerType());
                }
                all(generic.getActualTypeArguments());
            } else if (found instanceof GenericArrayType array) {
                type(array.getGenericComponentType());
            } else if (found instanceof WildcardType wildcard) {
                all(wildcard.getUpperBounds());
                all(wildcard.getLowerBounds());
            }
        }

        private void all(Type[] types) {
            for (Type one : types) {
                type(one);
            }
        }
    }
}
