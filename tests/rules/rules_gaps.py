"""Programs that a rule must see through, though its plain form does not: found as gaps of the model; and programs
of which the model is not given all."""

from __future__ import annotations

from rules_case import Case, Machine, Probe
from rules_classes import RETAINED

LAMBDAS = (
    Case(
        "M4",
        "m4functional",
        """interface I { void a(); void b(); }
        interface J extends I { default void b() { } }
        class User { static Object use() { J j = () -> { }; return j; } }""",
        keep=("%User.use:()Ljava/lang/Object;!code", "%J<%I", "%I.b:()V"),
        needs=("%J.b:()V",),
        breaks=Machine("AbstractMethodError: m4functional/I.b"),
    ),
    Case(
        "M4",
        "m4bridge",
        """interface G<T> { void a(T t); }
        interface S extends G<String> { void a(String s); }
        class User { static Object use() { S s = x -> { }; return s; } }""",
        keep=("%User.use:()Ljava/lang/Object;!code", "%S<%G", "%G.a:(Ljava/lang/Object;)V"),
        needs=("%S.a:(Ljava/lang/Object;)V",),
        breaks=Machine("AbstractMethodError: m4bridge/G.a"),
    ),
    Case(
        "M4",
        "m4marker",
        """interface Fn { void a(); }
        interface K { void z(); }
        interface Mark extends K { default void z() { } }
        class User { static Object use() { return (Fn & Mark) () -> { }; } }""",
        keep=("%User.use:()Ljava/lang/Object;!code", "%Mark<%K", "%K.z:()V"),
        needs=("%Mark.z:()V",),
        breaks=Machine("AbstractMethodError: m4marker/K.z"),
    ),
    Case(
        "M4",
        "m4clash",
        """interface I { default void b() { } }
        interface K { default void b() { } }
        interface J extends I, K { void a(); default void b() { } }
        class User { static void use() { J j = () -> { }; j.b(); } }""",
        keep=("%User.use:()V!code", "%J<%I", "%J<%K", "%I.b:()V", "%K.b:()V"),
        needs=("%J.b:()V",),
        breaks=Probe('call("User", "use");', "AbstractMethodError|Conflicting default methods"),
    ),
    Case(
        "A3",
        "a3bound",
        """class Sup { } class Sub extends Sup { }
        interface Fn<T extends Sup> { void accept(T t); }
        class User { static Object use() { Fn<Sub> f = s -> { }; return f; } }""",
        keep=("%User.use:()Ljava/lang/Object;!code", "%Sup", "%Sub"),
        needs=("%Sub<%Sup",),
        breaks=Machine("LambdaConversionException"),
    ),
    Case(
        "A3",
        "a3boundresult",
        """class Sup { } class Sub extends Sup { }
        interface Fn<T extends Sup> { T get(); }
        class User { static Object use() { Fn<Sub> f = () -> null; return f; } }""",
        keep=("%User.use:()Ljava/lang/Object;!code", "%Sup", "%Sub"),
        needs=("%Sub<%Sup",),
        breaks=Machine("LambdaConversionException"),
    ),
)

INHERITANCE = (
    Case(
        "M3",
        "m3nonpublic",
        "class B { protected void run() { } } class A extends B implements Runnable { public void run() { } }",
        keep=("%A<java/lang/Runnable", "%A<%B", "%B.run:()V"),
        needs=("%A.run:()V",),
        breaks=Machine("the implementation is not public"),
        avoid=("%A.run:()V",),
    ),
    Case(
        "M3",
        "m3clone",
        "interface I { Object clone(); } class A implements I { public Object clone() { return null; } }",
        keep=("%A<%I", "%I.clone:()Ljava/lang/Object;"),
        needs=("%A.clone:()Ljava/lang/Object;",),
        breaks=Machine("the implementation is not public"),
    ),
    Case(
        "H5",
        "h5edge",
        """interface I { default void m() { } }
        interface J extends I { default void m() { } }
        class C implements I, J { }""",
        keep=("%C<%I", "%C<%J", "%I.m:()V", "%J.m:()V"),
        needs=("%J<%I",),
        breaks=Machine("conflicting default methods"),
    ),
    Case(
        "H5",
        "h5winner",
        """interface I { default void m() { } }
        interface J { default void m() { } }
        interface K extends I, J { default void m() { } }
        class C implements I, J, K { }""",
        keep=("%C<%I", "%C<%J", "%C<%K", "%I.m:()V", "%J.m:()V", "%K.m:()V"),
        needs=("%K<%I", "%K<%J"),
        breaks=Machine("conflicting default methods"),
    ),
    Case(
        "K3",
        "k3static",
        """interface I { static void f() { } }
        class C implements I { static void f() { } }
        class User { static void use() { C.f(); } }""",
        keep=("%User.use:()V!code", "%C<%I", "%I.f:()V"),
        needs=("%C.f:()V",),
        breaks=Machine("NoSuchMethodError"),
        avoid=("%C.f:()V",),
    ),
    Case(
        "K3",
        "k3clash",
        """interface H { default void m() { } }
        interface K { default void m() { } }
        interface I extends H, K { default void m() { } }
        class C implements I { public void m() { I.super.m(); } static void use() { new C().m(); } }""",
        keep=("%C.m:()V!code", "%C.use:()V!code", "%C.<init>:()V", "%I<%H", "%I<%K", "%H.m:()V", "%K.m:()V"),
        needs=("%I.m:()V",),
        breaks=Probe('call("C", "use");', "IncompatibleClassChangeError"),
        avoid=("%I.m:()V",),
    ),
)

ACCESS = (
    Case(
        "K4",
        "k4hidden",
        "",
        keep=("%b/Sub.use:()V!code", "%a/Program$Mid<%a/Program", "%a/Program.f:()V"),
        needs=("%b/Sub<%a/Program",),
        breaks=Machine("IllegalAccessError"),
        avoid=("%a/Program$Mid.f:()V",),
        more=(
            (
                "a",
                "public class Program { protected static void f() { }"
                " public static class Mid extends Program { public static void f() { } } }",
            ),
            ("b", "class Sub extends %a.Program { static void use() { %a.Program.Mid.f(); } }"),
        ),
    ),
    Case(
        "C7",
        "c7hidden",
        """class Host {
            static class Sup { private static void f() { } }
            static class Mid extends Sup { public static void f() { } }
            static void use() { Mid.f(); }
        }""",
        keep=("%Host.use:()V!code", "%Host$Mid<%Host$Sup", "%Host$Sup.f:()V"),
        needs=("%Host$Sup[nest]",),
        breaks=Machine("IllegalAccessError"),
        granularity="full",
        avoid=("%Host$Mid.f:()V",),
    ),
    Case(
        "C7",
        "c7handle",
        """class Host {
            static class B { private static void f() { } private B() { } private void g() { } }
            static Runnable use(B b) {
                Runnable r = B::f;
                r = b::g;
                r = B::new;
                return r;
            }
        }""",
        keep=("%Host.use:(L%Host$B;)Ljava/lang/Runnable;!code",),
        needs=("%Host$B[nest]",),
        breaks=Machine("IllegalAccessError"),
        granularity="full",
    ),
)


def annotated(name: str, types: str, kind: str, value: str, keep: tuple[str, ...], needs: tuple[str, ...]) -> Case:
    """A class with an annotation ``A(x = value)``."""
    return Case(
        "C1",
        name,
        f"{types} {RETAINED} @interface A {{ {kind} x(); }} @A(x = {value}) class Use {{ }}",
        keep=("%Use[@%A]", *keep),
        needs=needs,
        breaks=Machine("is missing"),
        granularity="full",
    )


ANNOTATIONS = (
    annotated("c1method", "", "int", "1", (), ("%A.x:()I",)),
    annotated("c1class", "class D { }", "Class<?>", "D.class", ("%A.x:()Ljava/lang/Class;",), ("%D",)),
    annotated("c1enum", "enum E { ONE }", "E", "E.ONE", ("%A.x:()L%E;",), ("%E.ONE:L%E;",)),
    annotated("c1nested", f"{RETAINED} @interface B {{ }}", "B", "@B", ("%A.x:()L%B;",), ("%B",)),
    Case(
        "M5",
        "m5enum",
        "enum E { ONE } @interface A { E x() default E.ONE; }",
        keep=("%A.x:()L%E;", "%A<java/lang/annotation/Annotation"),
        needs=("%E.ONE:L%E;", "%E<java/lang/Enum"),
        breaks=Machine("is missing"),
        validity="jvm",
    ),
    Case(
        "M5",
        "m5empty",
        "@interface B { } @interface A { B[] x() default {}; }",
        keep=("%A.x:()[L%B;", "%A<java/lang/annotation/Annotation", "%B"),
        needs=("%B<java/lang/annotation/Annotation",),
        breaks=Probe('type("A").getDeclaredMethod("x").getDefaultValue();', "Invalid default"),
        validity="jvm",
    ),
)

NOWHERE = (
    Case(
        "M3",
        "m3nowhere",
        """abstract class Gone { abstract void m(); }
        class Mid extends Gone { void m() { } }
        class A extends Mid { }""",
        keep=("%A<%Mid", "%Mid<%Gone"),
        needs=("%Mid.m:()V",),
        breaks=Machine("AbstractMethodError"),
        nowhere=("%Gone",),
    ),
    Case(
        "M3",
        "m3nowheredefault",
        """interface Gone { void m(); }
        interface I extends Gone { default void m() { } }
        class A implements I { }""",
        keep=("%A<%I", "%I<%Gone"),
        needs=("%I.m:()V",),
        breaks=Machine("AbstractMethodError"),
        nowhere=("%Gone",),
    ),
    Case(
        "M3",
        "m3nowhereabove",
        """interface I { void m(); }
        class Gone { public void m() { } }
        class A extends Gone implements I { }""",
        keep=("%A<%I",),
        needs=("%A<%Gone",),
        breaks=Machine("AbstractMethodError"),
        nowhere=("%I", "%Gone"),
    ),
    Case(
        "M3",
        "m3nowhereobject",
        """abstract class Gone { public abstract String toString(); }
        class A extends Gone { public String toString() { return ""; } }""",
        keep=("%A<%Gone",),
        needs=("%A.toString:()Ljava/lang/String;",),
        breaks=Machine("AbstractMethodError"),
        nowhere=("%Gone",),
    ),
    Case(
        "K3",
        "k3nowhere",
        """interface I { }
        class Gone { void m() { } }
        class A extends Gone implements I { }
        class User { static void use(A a) { a.m(); } }""",
        keep=("%User.use:(L%A;)V!code", "%A"),
        needs=("%A<%Gone", "%A<%I"),
        breaks=Machine("NoSuchMethodError"),
        nowhere=("%I", "%Gone"),
    ),
    Case(
        "H3",
        "h3nowhere",
        """class X { }
        class Gone { Gone(X x) { } }
        class A extends Gone { A() { super(null); } }""",
        keep=("%A.<init>:()V", "%A<%Gone"),
        needs=("%X",),
        breaks=Machine("NoSuchMethodError"),
        nowhere=("%Gone",),
    ),
    Case(
        "K4",
        "k4nowhere",
        "",
        keep=("%b/Sub.use:()V!code",),
        needs=("%b/Sub<%a/Program",),
        breaks=Machine("IllegalAccessError"),
        nowhere=("%a/Program",),
        more=(
            ("a", "public class Program { protected static void f() { } }"),
            ("b", "class Sub extends %a.Program { static void use() { %a.Program.f(); } }"),
        ),
    ),
    Case(
        "K4",
        "k4nowherefield",
        "",
        keep=("%b/Sub.use:()I!code",),
        needs=("%b/Sub<%a/Program",),
        breaks=Probe('call("b.Sub", "use");', "IllegalAccessError"),
        nowhere=("%a/Program",),
        more=(
            ("a", "public class Program { protected static int f; }"),
            ("b", "class Sub extends %a.Program { static int use() { return %a.Program.f; } }"),
        ),
    ),
)

CASES = (*LAMBDAS, *INHERITANCE, *ACCESS, *ANNOTATIONS, *NOWHERE)
