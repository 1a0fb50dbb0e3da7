package referee;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.TypeVariable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a class says of itself beside its code: nests, inner classes, records, signatures, annotations, exceptions. */
final class Metadata {
    private static final Pattern NAME = Pattern.compile("L([^;]+);");

    private final Candidate candidate;
    private final Problems problems;
    private final Class<?> type;
    private final ClassData data;

    Metadata(Candidate candidate, Problems problems, Class<?> type, ClassData data) {
        this.candidate = candidate;
        this.problems = problems;
        this.type = type;
        this.data = data;
    }

    /** Internal names of the classes in a descriptor. */
    static List<String> names(String descriptor) {
        List<String> names = new ArrayList<>();
        Matcher matcher = NAME.matcher(descriptor);
        while (matcher.find()) {
            names.add(matcher.group(1));
        }
        return names;
    }

    void check() {
        nest();
        innerClasses();
        record();
        signature();
        members();
        annotations(data.name, data.attributes);
    }

    private void nest() {
        byte[] host = data.attributes.get("NestHost");
        if (host != null && type.getNestHost() == type) {
            problems.jvm(data.name, "nest", "NestHost", "the host is missing or does not list the class");
        }
        for (int index : data.table("NestMembers")) {
            String name = data.typeName(index);
            if (!candidate.has(name)) {
                problems.jvm(data.name, "nest", name, "the nest member is missing");
            }
        }
    }

    private void innerClasses() {
        int[] table = data.table("InnerClasses");
        for (int i = 0; i + 3 < table.length; i += 4) {
            for (int index : new int[] {table[i], table[i + 1]}) {
                if (index != 0 && !candidate.has(data.typeName(index))) {
                    problems.jvm(data.name, "inner", data.typeName(index), "the InnerClasses attribute names it, it is missing");
                }
            }
        }
        for (int index : data.table("PermittedSubclasses")) {
            if (!candidate.has(data.typeName(index))) {
                problems.src(data.name, "permitted", data.typeName(index), "the permitted subclass is missing");
            }
        }
        reflect("enclosing", type::getEnclosingClass);
        reflect("declaring", type::getDeclaringClass);
        reflect("declared classes", type::getDeclaredClasses);
        reflect("enclosing method", type::getEnclosingMethod);
        reflect("enclosing constructor", type::getEnclosingConstructor);
    }

    private void record() {
        byte[] content = data.attributes.get("Record");
        if (content == null) {
            return;
        }
        parse("record", content, in -> {
            for (int left = in.readUnsignedShort(); left > 0; left--) {
                String key = data.text(in.readUnsignedShort()) + ":" + data.text(in.readUnsignedShort());
                if (!data.fields.containsKey(key)) {
                    problems.jvm(data.name, "record", key, "the component has no field");
                }
                for (int more = in.readUnsignedShort(); more > 0; more--) {
                    in.readUnsignedShort();
                    in.skipNBytes(in.readInt());
                }
            }
        });
    }

    private void signature() {
        if (!data.attributes.containsKey("Signature")) {
            return;
        }
        Runnable action = () -> {
            type.getGenericSuperclass();
            type.getGenericInterfaces();
            for (TypeVariable<?> variable : type.getTypeParameters()) {
                variable.getBounds();
            }
        };
        // Of a local class it looks through the members around it, whose descriptors are a matter of source only.
        if (data.attributes.containsKey("EnclosingMethod")) {
            reflect("signature", action);
        } else {
            jvmReflect("signature", action);
        }
    }

    private void members() {
        for (Map<String, ClassData.Member> members : List.of(data.fields, data.methods)) {
            for (ClassData.Member member : members.values()) {
                for (String name : names(member.descriptor())) {
                    if (!candidate.has(name)) {
                        problems.src(data.name, "descriptor", member.key(), name + " is missing");
                    }
                }
                byte[] thrown = member.attributes().get("Exceptions");
                for (int index : thrown == null ? new int[0] : ClassData.numbers(thrown)) {
                    if (!candidate.has(data.typeName(index))) {
                        problems.jvm(data.name, "throws", member.key(), data.typeName(index) + " is missing");
                    }
                }
                annotations(data.name + "." + member.key(), member.attributes());
            }
        }
        reflect("generic members", () -> {
            for (Field field : type.getDeclaredFields()) {
                field.getGenericType();
            }
            for (Method method : type.getDeclaredMethods()) {
                method.getGenericReturnType();
                method.getGenericParameterTypes();
                method.getGenericExceptionTypes();
            }
        });
    }

    // Annotations (JVMS 4.7.16): read here, since reflection would run initialisers of enums.

    private void annotations(String place, Map<String, byte[]> attributes) {
        attributes.forEach((name, content) -> {
            switch (name) {
                case "RuntimeVisibleAnnotations", "RuntimeInvisibleAnnotations" ->
                    parse("annotation", content, in -> annotationList(place, in));
                case "RuntimeVisibleParameterAnnotations", "RuntimeInvisibleParameterAnnotations" ->
                    parse("annotation", content, in -> {
                        for (int left = in.readUnsignedByte(); left > 0; left--) {
                            annotationList(place, in);
                        }
                    });
                case "AnnotationDefault" -> parse("annotation", content, in -> value(place, in));
                default -> {}
            }
        });
    }

    private void annotationList(String place, DataInputStream in) throws IOException {
        for (int left = in.readUnsignedShort(); left > 0; left--) {
            annotation(place, in);
        }
    }

    private void annotation(String place, DataInputStream in) throws IOException {
        String name = named(place, data.text(in.readUnsignedShort()));
        ClassData annotation = name == null ? null : candidate.data(name);
        for (int left = in.readUnsignedShort(); left > 0; left--) {
            String element = data.text(in.readUnsignedShort());
            if (annotation != null
                    && annotation.methods.values().stream().noneMatch(m -> m.name().equals(element))) {
                problems.jvm(data.name, "annotation", place, name + "." + element + "() is missing");
            }
            value(place, in);
        }
    }

    private void value(String place, DataInputStream in) throws IOException {
        switch (in.readUnsignedByte()) {
            case 'e' -> {
                String name = named(place, data.text(in.readUnsignedShort()));
                String constant = data.text(in.readUnsignedShort());
                ClassData type = name == null ? null : candidate.data(name);
                if (type != null && !type.fields.containsKey(constant + ":L" + name + ";")) {
                    problems.jvm(data.name, "annotation", place, name + "." + constant + " is missing");
                }
            }
            case 'c' -> named(place, data.text(in.readUnsignedShort()));
            case '@' -> annotation(place, in);
            case '[' -> {
                for (int left = in.readUnsignedShort(); left > 0; left--) {
                    value(place, in);
                }
            }
            default -> in.readUnsignedShort();
        }
    }

    /** The class in a descriptor if it can be loaded; null and a problem otherwise. */
    private String named(String place, String descriptor) {
        for (String name : names(descriptor)) {
            if (!candidate.has(name)) {
                problems.jvm(data.name, "annotation", place, name + " is missing");
                return null;
            }
            return name;
        }
        return null;
    }

    private interface Reader {
        void read(DataInputStream in) throws IOException;
    }

    private void parse(String kind, byte[] content, Reader reader) {
        try {
            reader.read(new DataInputStream(new ByteArrayInputStream(content)));
        } catch (IOException | RuntimeException error) {
            problems.jvm(data.name, kind, "format", error.toString());
        }
    }

    private void reflect(String what, Runnable action) {
        if (!problems.src) {
            return;
        }
        try {
            action.run();
        } catch (LinkageError | RuntimeException | InternalError error) {
            problems.src(data.name, "reflection", what, Problem.text(error));
        }
    }

    private void jvmReflect(String what, Runnable action) {
        try {
            action.run();
        } catch (LinkageError | RuntimeException error) {
            problems.jvm(data.name, what, Problem.place(error), Problem.text(error));
        }
    }
}
