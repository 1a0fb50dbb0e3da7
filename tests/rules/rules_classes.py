"""Programs for the rules about structure, classes as a whole and nested classes (S, C, A1)."""

from __future__ import annotations

from rules_case import Case, Client, Machine, NotShown, Probe

RETAINED = "@java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME)"

_NO_TYPE_VARIABLE = "NullPointerException|Type T not present"
"""Words on a type variable that nothing declares: to JDK 17 it is null, to JDK 25 an error."""

STRUCTURE = (
    Case(
        "S1",
        "s1",
        "class Main { static void run() { System.out.println(); } }",
        keep=("%Main", "%Main.run:()V!code"),
        needs=("%Main.run:()V",),
        breaks=Probe('type("Main").getDeclaredMethod("run");', "NoSuchMethodException"),
    ),
)

CLASSES = (
    Case(
        "C1",
        "c1",
        f"{RETAINED} @interface Mark {{ }} @Mark class Use {{ }}",
        keep=("%Use[@%Mark]",),
        needs=("%Mark",),
        breaks=Machine("c1/Mark is missing"),
        granularity="full",
    ),
    Case(
        "C1",
        "c1kind",
        f"{RETAINED} @interface Mark {{ }} @Mark class Use {{ }}",
        keep=("%Use[@%Mark]", "%Mark[@java/lang/annotation/Retention]"),
        needs=("%Mark<java/lang/annotation/Annotation",),
        breaks=Probe(
            'if (type("Use").getAnnotations().length == 0) throw new Error("no annotation");', "no annotation"
        ),
        granularity="full",
    ),
    Case(
        "C1",
        "c1empty",
        f"@interface B {{ }} {RETAINED} @interface Mark {{ B[] x(); }} @Mark(x = {{ }}) class Use {{ }}",
        keep=(
            "%Use[@%Mark]",
            "%Mark[@java/lang/annotation/Retention]",
            "%Mark<java/lang/annotation/Annotation",
            "%Mark.x:()[L%B;",
            "%B",
        ),
        needs=("%B<java/lang/annotation/Annotation",),
        breaks=Probe(
            """var mark = type("Use").getAnnotations()[0];
            var element = type("Mark").getDeclaredMethod("x");
            element.setAccessible(true);
            element.invoke(mark);""",
            "InvocationTargetException",
        ),
        granularity="full",
    ),
    Case(
        "C1e",
        "c1e",
        f"enum E {{ ONE }} {RETAINED} @interface Mark {{ E x(); }} @Mark(x = E.ONE) class Use {{ }}",
        keep=("%Use[@%Mark]", "%Mark[@java/lang/annotation/Retention]"),
        needs=("%E.values:()[L%E;!code", "%E.<clinit>:()V!code", "%E.$values:()[L%E;!code"),
        breaks=Probe(
            """var mark = type("Use").getAnnotations()[0];
            var element = type("Mark").getDeclaredMethod("x");
            element.setAccessible(true);
            element.invoke(mark);""",
            "InvocationTargetException",
        ),
        granularity="full",
        validity="linked",
    ),
    Case(
        "C1e",
        "c1edefault",
        "enum E { ONE } @interface A { E x() default E.ONE; }",
        keep=("%A.x:()L%E;", "%A<java/lang/annotation/Annotation"),
        needs=("%E.values:()[L%E;!code", "%E.<clinit>:()V!code", "%E.$values:()[L%E;!code"),
        breaks=Probe('type("A").getDeclaredMethod("x").getDefaultValue();', "Invalid default"),
        validity="linked",
    ),
    Case(
        "C1p",
        "c1p",
        f"{RETAINED} @interface Mark {{ }} class Outer {{ class Inner {{ Inner(@Mark String s) {{ }} }} }}",
        keep=("%Outer$Inner.<init>:(L%Outer;Ljava/lang/String;)V[@%Mark on parameter 0]", "%Outer"),
        needs=("%Outer$Inner[inner %Outer$Inner]",),
        breaks=Probe(
            'type("Outer$Inner").getDeclaredConstructors()[0].getParameterAnnotations();', "AnnotationFormatError"
        ),
        granularity="full",
        validity="linked",
    ),
    Case(
        "C2",
        "c2",
        "class Arg { } class Use extends java.util.ArrayList<Arg> { }",
        keep=("%Use[sig]", "%Use<java/util/ArrayList"),
        needs=("%Arg",),
        # what is written then is the raw type
        breaks=Probe(
            'java.lang.reflect.ParameterizedType.class.cast(type("Use").getGenericSuperclass());', "ClassCastException"
        ),
        granularity="full",
    ),
    Case(
        "C2s",
        "c2s",
        "class Use<T> { T f; }",
        keep=("%Use.f:Ljava/lang/Object;[sig]",),
        needs=("%Use[sig]",),
        breaks=Probe(
            'java.util.Objects.requireNonNull(type("Use").getDeclaredField("f").getGenericType());',
            _NO_TYPE_VARIABLE,
        ),
        granularity="full",
    ),
    Case(
        "C2s",
        "c2slocal",
        """class A { static <T> java.util.function.Supplier<T> make(T t) {
            return new java.util.function.Supplier<T>() { public T get() { return t; } }; } }""",
        keep=("%A$1.get:()Ljava/lang/Object;[sig]",),
        needs=("%A$1[enclosed]", "%A.make:(Ljava/lang/Object;)Ljava/util/function/Supplier;[sig]"),
        breaks=Probe(
            'java.util.Objects.requireNonNull(type("A$1").getDeclaredMethod("get").getGenericReturnType());',
            _NO_TYPE_VARIABLE,
        ),
        granularity="full",
    ),
    Case(
        "C2s",
        "c2srow",
        "class Outer<T> { class Inner { T f; } }",
        keep=("%Outer$Inner.f:Ljava/lang/Object;[sig]",),
        needs=("%Outer$Inner[inner %Outer$Inner]", "%Outer[sig]"),
        breaks=Probe(
            'java.util.Objects.requireNonNull(type("Outer$Inner").getDeclaredField("f").getGenericType());',
            _NO_TYPE_VARIABLE,
        ),
        granularity="full",
    ),
    Case(
        "C3",
        "c3",
        "enum E { A, B }",
        keep=("%E<java/lang/Enum",),
        needs=(
            "%E.values:()[L%E;",
            "%E.valueOf:(Ljava/lang/String;)L%E;",
            "%E.$VALUES:[L%E;",
        ),
        breaks=Client("class Client { String name(E e) { return e.name() + E.values(); } }", "cannot find symbol"),
        validity="src",
    ),
    Case(
        "C3",
        "c3array",
        "enum E { A, B }",
        keep=("%E.<clinit>:()V!code", "%E<java/lang/Enum"),
        needs=("%E.$values:()[L%E;!code",),
        breaks=Probe('java.util.Objects.requireNonNull(field("E", "$VALUES").get(null));', "NullPointerException"),
        validity="src",
    ),
    Case(
        "C3",
        "c3constant",
        "enum E { A, B }",
        keep=("%E.A:L%E;", "%E<java/lang/Enum"),
        needs=("%E.<clinit>:()V!code",),
        breaks=Probe('java.util.Objects.requireNonNull(field("E", "A").get(null));', "NullPointerException"),
        validity="src",
    ),
    Case(
        "C3",
        "c3annotation",
        "@interface A { B value(); } @interface B { }",
        keep=("%A.value:()L%B;", "%A<java/lang/annotation/Annotation"),
        needs=("%B<java/lang/annotation/Annotation",),
        breaks=Client("@A(@B) class Client { }", "annotation not valid"),
        validity="src",
    ),
    Case(
        "C3s",
        "c3sconstructor",
        "enum E { A; }",
        keep=("%E.<init>:(Ljava/lang/String;I)V[sig]",),
        needs=("%E<java/lang/Enum", "%E[sig]"),
        breaks=Probe(
            """var made = type("E").getDeclaredConstructors()[0];
            if (!type("E").isEnum() && made.getGenericParameterTypes().length != made.getParameterCount())
                throw new Error("hidden parameters");""",
            "hidden parameters",
        ),
        granularity="full",
        validity="src",
    ),
    Case(
        "C3s",
        "c3smeta",
        "import java.lang.annotation.*; @Documented @interface A { }",
        keep=("%A[@java/lang/annotation/Documented]",),
        needs=("%A<java/lang/annotation/Annotation",),
        breaks=Probe('if (!type("A").isAnnotation()) throw new Error("not an annotation");', "not an annotation"),
        granularity="full",
        validity="src",
    ),
    Case(
        "C3s",
        "c3srecord",
        "record R(int x) { }",
        keep=("%R.hashCode:()I!code",),
        needs=("%R<java/lang/Record",),
        breaks=Probe('if (!type("R").isRecord()) throw new Error("not a record");', "not a record"),
        validity="src",
    ),
    Case(
        "C4",
        "c4",
        "class Outer { static Object m() { class Local { } return new Local(); } }",
        keep=("%Outer$1Local[enclosed]",),
        needs=("%Outer",),
        breaks=Probe('type("Outer$1Local").getEnclosingClass();', "NoClassDefFoundError"),
        granularity="full",
        hide=("%Outer",),
    ),
    Case(
        "C4s",
        "c4s",
        "class Outer { static Object m() { class Local { } return new Local(); } }",
        keep=("%Outer$1Local[enclosed]",),
        needs=("%Outer.m:()Ljava/lang/Object;!code",),
        breaks=Probe(
            'java.util.Objects.requireNonNull(type("Outer$1Local").getEnclosingMethod());', "NullPointerException"
        ),
        granularity="full",
        validity="src",
    ),
    Case(
        "C4s",
        "c4slocal",
        "class Outer { static Object m() { class Local { } return new Local(); } }",
        keep=("%Outer$1Local",),
        needs=("%Outer$1Local[enclosed]", "%Outer.m:()Ljava/lang/Object;!code"),
        breaks=Probe(
            'java.util.Objects.requireNonNull(type("Outer$1Local").getEnclosingClass());', "NullPointerException"
        ),
        granularity="full",
        validity="src",
    ),
    Case(
        "C5",
        "c5",
        "record R(int x) { }",
        keep=("%R<java/lang/Record",),
        needs=("%R.x:I", "%R.x:()I", "%R.<init>:(I)V!code"),
        breaks=Client("class Client { int f(int x) { return new R(x).x(); } }", "constructor R(int)"),
        validity="src",
    ),
    Case(
        "C5",
        "c5component",
        "record R(int x) { }",
        keep=("%R<java/lang/Record",),
        needs=("%R[component x]", "%R.x:I", "%R.x:I[final]", "%R.x:()I", "%R.<init>:(I)V!code"),
        breaks=Client("class Client { int f(int x) { return new R(x).x(); } }", "constructor R(int)"),
        granularity="full",
        validity="src",
    ),
    Case(
        "C5",
        "c5accessor",
        "record R(int x) { }",
        keep=("%R<java/lang/Record",),
        needs=("%R.x:()I!code",),
        breaks=NotShown("CFR writes a field that its accessor does not read into the record once more"),
        validity="src",
    ),
    Case(
        "C7",
        "c7",
        """class Host {
            static class A { static int use() { return B.secret(); } }
            static class B { private static int secret() { return 1; } }
        }""",
        keep=("%Host$A.use:()I!code",),
        needs=("%Host$A[nest]", "%Host$B[nest]"),
        breaks=Machine("IllegalAccessError"),
        granularity="full",
    ),
    Case(
        "C7",
        "c7field",
        """class Host {
            static class A { static int use() { return B.secret; } }
            static class B { private static int secret; }
        }""",
        keep=("%Host$A.use:()I!code",),
        needs=("%Host",),
        breaks=Probe('call("Host$A", "use");', "IllegalAccessError"),
        hide=("%Host$A", "%Host$B"),
    ),
    Case(
        "C7",
        "c7host",
        "class Host { static class A { } }",
        keep=("%Host$A[nest]",),
        needs=("%Host",),
        breaks=Machine("the host is missing"),
        granularity="full",
        hide=("%Host$A",),
    ),
)

INNER = (
    Case(
        "A1",
        "a1",
        "class Outer { static class X { } } class Other { Object f() { return new Outer.X(); } }",
        keep=("%Other[inner %Outer$X]",),
        needs=("%Outer$X", "%Outer"),
        breaks=Machine("it is missing"),
    ),
    Case(
        "A4",
        "a4",
        "class Outer { static class X { } }",
        keep=("%Outer$X",),
        needs=("%Outer$X[inner %Outer$X]",),
        breaks=Probe('java.util.Objects.requireNonNull(type("Outer$X").getDeclaringClass());', "NullPointerException"),
        validity="src",
    ),
    Case(
        "A1s",
        "a1s",
        "class Outer { static class X { } }",
        keep=("%Outer$X[inner %Outer$X]",),
        needs=("%Outer[inner %Outer$X]",),
        breaks=Probe('type("Outer$X").getDeclaringClass();', "IncompatibleClassChangeError"),
    ),
    Case(
        "A1s",
        "a1local",
        "class Outer { static Object m() { class Local { } return new Local(); } }",
        keep=("%Outer$1Local[enclosed]",),
        needs=("%Outer[inner %Outer$1Local]",),
        breaks=NotShown("only compilers and decompilers look for a local class in the table of the class around it"),
        granularity="full",
    ),
)

CASES = (*STRUCTURE, *CLASSES, *INNER)
