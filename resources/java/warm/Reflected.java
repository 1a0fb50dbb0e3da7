package warm;

import java.io.File;
import java.io.IOException;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

/**
 * Prints what reflection sees of each class of a jar, in one order for all virtual machines; initialises nothing.
 *
 * <p>{@code java -cp JAR:LIBRARIES:FOLDER warm.Reflected}: the first jar or folder of the class path that is there. What
 * cannot be seen is told by the name of the exception.
 */
public final class Reflected {
    private static final String SUFFIX = ".class";

    private Reflected() {}

    public static void main(String[] arguments) throws Exception {
        Path place = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator)).map(Path::of)
                .filter(Files::exists).findFirst().orElseThrow();
        for (String file : files(place)) {
            if (!file.endsWith(SUFFIX) || file.startsWith("META-INF/") || file.endsWith("module-info.class")) continue;
            String name = file.substring(0, file.length() - SUFFIX.length()).replace('/', '.');
            System.out.println("class " + name);
            tell("", () -> {
                Class<?> type = Class.forName(name, false, Reflected.class.getClassLoader());
                tell("  is ", () -> Modifier.toString(type.getModifiers()) + " " + type.toGenericString());
                tell("  extends ", () -> type.getGenericSuperclass() + " " + Arrays.toString(type.getGenericInterfaces()));
                tell("  within ", () -> type.getNestHost() + " " + type.getEnclosingClass() + " " + type.getEnclosingMethod());
                tell("  permits ", () -> Arrays.toString(type.getPermittedSubclasses()));
                tell("  parts ", () -> Arrays.toString(type.getRecordComponents()));
                tell("  annotated ", () -> annotations(type));
                tell("  fields", () -> lines(type.getDeclaredFields(), Field::toGenericString));
                tell("  constructors", () -> lines(type.getDeclaredConstructors(), Reflected::executable));
                tell("  methods", () -> lines(type.getDeclaredMethods(), Reflected::executable));
                return "";
            });
        }
    }

    private static List<String> files(Path place) throws IOException {
        if (Files.isDirectory(place)) {
            try (Stream<Path> all = Files.walk(place)) {
                return all.map(file -> place.relativize(file).toString().replace(File.separatorChar, '/')).sorted().toList();
            }
        }
        try (JarFile jar = new JarFile(place.toFile())) {
            return jar.stream().map(ZipEntry::getName).sorted().toList();
        }
    }

    private static void tell(String about, Callable<String> view) {
        String told;
        try {
            told = view.call();
        } catch (Throwable failure) {
            told = " " + failure.getClass().getName();
        }
        System.out.println(about + told);
    }

    private interface Words<T> {
        String of(T one) throws Exception;
    }

    private static <T extends AnnotatedElement> String lines(T[] all, Words<T> words) throws Exception {
        List<String> found = new ArrayList<>();
        for (T one : all) found.add("\n    " + words.of(one) + " " + annotations(one));
        return found.stream().sorted().collect(Collectors.joining());
    }

    private static String executable(Executable one) throws Exception {
        List<String> parameters = new ArrayList<>();
        for (var parameter : one.getParameters()) parameters.add(annotations(parameter) + parameter.getName());
        Object usual = one instanceof Method method ? value(method.getDefaultValue()) : "";
        return (one instanceof Constructor ? "" : one.getName() + " ") + one.toGenericString() + parameters + usual;
    }

    private static String annotations(AnnotatedElement one) throws Exception {
        List<String> found = new ArrayList<>();
        for (Annotation each : one.getDeclaredAnnotations()) found.add(value(each));
        return found.stream().sorted().collect(Collectors.joining(" "));
    }

    /** Returns the value of an annotation's element; texts of annotations differ between virtual machines. */
    private static String value(Object one) throws Exception {
        if (one instanceof Annotation annotation) {
            List<String> parts = new ArrayList<>();
            for (Method part : annotation.annotationType().getDeclaredMethods()) {
                part.setAccessible(true);
                parts.add(part.getName() + "=" + value(part.invoke(annotation)));
            }
            return parts.stream().sorted().collect(Collectors.joining(", ", "@" + annotation.annotationType().getName() + "(", ")"));
        }
        if (one != null && one.getClass().isArray()) {
            List<String> parts = new ArrayList<>();
            for (int at : IntStream.range(0, Array.getLength(one)).toArray()) parts.add(value(Array.get(one, at)));
            return parts.toString();
        }
        return String.valueOf(one);
    }
}
