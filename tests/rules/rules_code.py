"""Programs for the rules about code and bootstrap entries (K, M4, A2, A3)."""

from __future__ import annotations

from rules_case import Case, Client, Machine, NotShown, Probe

CODE = (
    Case(
        "K1",
        "k1",
        "class X { } class User { static boolean use(Object o) { return o instanceof X; } }",
        keep=("%User.use:(Ljava/lang/Object;)Z!code",),
        needs=("%X",),
        breaks=Machine("k1.X"),
    ),
    Case(
        "K1",
        "k1array",
        "class X { } class User { static Object use() { return new X[1]; } }",
        keep=("%User.use:()Ljava/lang/Object;!code",),
        needs=("%X",),
        breaks=Machine("k1array.X"),
    ),
    Case(
        "K1",
        "k1row",
        "class Outer { static class X { } } class User { static Object use() { return new Outer.X[1]; } }",
        keep=("%User.use:()Ljava/lang/Object;!code", "%Outer$X"),
        needs=("%User[inner %Outer$X]",),
        breaks=NotShown("the row tells decompilers how the class is called in the source; the JVM does not read it"),
        validity="src",  # what names a class adds its row there
    ),
    Case(
        "K1",
        "k1library",
        "class User { static boolean use(Object o) { return o instanceof java.util.Map.Entry; } }",
        keep=("%User.use:(Ljava/lang/Object;)Z!code",),
        needs=("%User[inner java/util/Map$Entry]",),
        breaks=NotShown("the row tells decompilers how the class is called in the source; the JVM does not read it"),
        validity="src",  # what names a class adds its row there
    ),
    Case(
        "K2",
        "k2",
        "class D { int f; } class User { static int use(D d) { return d.f; } }",
        keep=("%User.use:(L%D;)I!code",),
        needs=("%D.f:I", "%D"),
        breaks=Machine("k2.D"),
    ),
    Case(
        "K2",
        "k2inherited",
        "class A { int f; } class B extends A { } class User { static int use(B b) { return b.f; } }",
        keep=("%User.use:(L%B;)I!code", "%B"),
        needs=("%A.f:I", "%B<%A"),
        breaks=Machine("NoSuchFieldError"),
    ),
    Case(
        "K2",
        "k2static",
        "interface I { Object F = new Object(); } class C implements I { }"
        " class User { static Object use() { return C.F; } }",
        keep=("%User.use:()Ljava/lang/Object;!code", "%C"),
        needs=("%I.F:Ljava/lang/Object;", "%C<%I"),
        breaks=Machine("NoSuchFieldError"),
    ),
    Case(
        "K3",
        "k3",
        "class D { static void f() { } } class User { static void use() { D.f(); } }",
        keep=("%User.use:()V!code", "%D"),
        needs=("%D.f:()V",),
        breaks=Machine("NoSuchMethodError"),
    ),
    Case(
        "K3",
        "k3inherited",
        "class A { void f() { } } class B extends A { } class User { static void use(B b) { b.f(); } }",
        keep=("%User.use:(L%B;)V!code", "%B"),
        needs=("%A.f:()V", "%B<%A"),
        breaks=Machine("NoSuchMethodError"),
    ),
    Case(
        "K3",
        "k3interface",
        """interface I { void f(); }
        interface J extends I { }
        class User { static void use(J j) { j.f(); } }""",
        keep=("%User.use:(L%J;)V!code", "%J"),
        needs=("%I.f:()V", "%J<%I"),
        breaks=Machine("NoSuchMethodError"),
    ),
    Case(
        "K3",
        "k3constructor",
        "class D { D(int x) { } } class User { static Object use() { return new D(1); } }",
        keep=("%User.use:()Ljava/lang/Object;!code",),
        needs=("%D.<init>:(I)V",),
        breaks=Machine("NoSuchMethodError"),
    ),
    Case(
        "K3",
        "k3super",
        "class B { void f() { } } class C extends B { void f() { super.f(); } }",
        keep=("%C.f:()V!code",),
        needs=("%B.f:()V",),
        breaks=Machine("NoSuchMethodError"),
    ),
    Case(
        "K3",
        "k3bridge",
        """interface I { Object f(); }
        abstract class B implements I { public abstract String f(); abstract static class C extends B { } }""",
        keep=("%B$C.f:()Ljava/lang/Object;!code",),
        needs=("%B.f:()Ljava/lang/String;",),
        breaks=Machine("NoSuchMethodError"),
        shows="AbstractMethodError",
    ),
    Case(
        "K3",
        "k3polymorphic",
        """class D { }
        class User {
            static Object use(java.lang.invoke.MethodHandle h) throws Throwable { return (D) h.invokeExact(); }
        }""",
        keep=("%User.use:(Ljava/lang/invoke/MethodHandle;)Ljava/lang/Object;!code",),
        needs=("%D",),
        breaks=Machine("ClassNotFoundException"),
    ),
    Case(
        "K3",
        "k3private",
        "class User { static class D { private void p() { } } static void use(D d) { d.p(); } }",
        keep=("%User.use:(L%User$D;)V!code", "%User$D"),
        needs=("%User$D.p:()V",),
        breaks=Machine("NoSuchMethodError"),
    ),
    Case(
        "K4",
        "k4",
        "",
        keep=("%b/Sub.use:()I!code",),
        needs=("%b/Sub<%a/Program",),
        breaks=Probe('call("b.Sub", "use");', "IllegalAccessError"),
        more=(
            ("a", "public class Program { protected static int f; }"),
            ("b", "class Sub extends %a.Program { static int use() { return %a.Program.f; } }"),
        ),
    ),
    Case(
        "K4",
        "k4method",
        "",
        keep=("%b/Sub.use:()V!code",),
        needs=("%b/Sub<%a/Program",),
        breaks=Machine("IllegalAccessError"),
        more=(
            ("a", "public class Program { protected static void f() { } }"),
            ("b", "class Sub extends %a.Program { static void use() { %a.Program.f(); } }"),
        ),
    ),
    Case(
        "K5",
        "k5",
        "class User { static Runnable use() { return () -> System.out.println(); } }",
        keep=("%User.use:()Ljava/lang/Runnable;!code",),
        needs=("%User[bootstrap 0]",),
        breaks=Machine("User"),
    ),
    Case(
        "K5",
        "k5captured",
        """class Sup { void m() { } }
        class Sub extends Sup { }
        class User { static Runnable use(Sub s) { return s::m; } }""",
        keep=("%User.use:(L%Sub;)Ljava/lang/Runnable;!code", "%User[bootstrap 0]", "%Sub"),
        needs=("%Sub<%Sup",),
        breaks=Machine("LambdaConversionException"),
    ),
    Case(
        "K6",
        "k6argument",
        """class Sup { } class Sub extends Sup { }
        class User { static void take(Sup s) { } static void use(Sub s) { take(s); } }""",
        keep=("%User.use:(L%Sub;)V!code", "%Sub", "%Sup"),
        needs=("%Sub<%Sup",),
        breaks=Machine("VerifyError"),
    ),
    Case(
        "K6",
        "k6return",
        "class Sup { } class Sub extends Sup { } class User { static Sup use(Sub s) { return s; } }",
        keep=("%User.use:(L%Sub;)L%Sup;!code", "%Sub", "%Sup"),
        needs=("%Sub<%Sup",),
        breaks=Machine("VerifyError"),
    ),
    Case(
        "K6",
        "k6store",
        "class Sup { } class Sub extends Sup { } class User { static Sup f; static void use(Sub s) { f = s; } }",
        keep=("%User.use:(L%Sub;)V!code", "%Sub", "%Sup"),
        needs=("%Sub<%Sup",),
        breaks=Machine("VerifyError"),
    ),
    Case(
        "K6",
        "k6receiver",
        """class Sup { void m() { } } class Sub extends Sup { void m() { super.m(); } }""",
        keep=("%Sub.m:()V!code",),
        needs=("%Sub<%Sup",),
        breaks=Machine("VerifyError"),
    ),
    Case(
        "K6",
        "k6throw",
        "class E extends RuntimeException { } class User { static void use(E e) { throw e; } }",
        keep=("%User.use:(L%E;)V!code", "%E"),
        needs=("%E<java/lang/RuntimeException",),
        breaks=Machine("VerifyError"),
    ),
    Case(
        "K6",
        "k6catch",
        """class E extends RuntimeException { }
        class User { static void use() { try { System.out.println(); } catch (E e) { } } }""",
        keep=("%User.use:()V!code", "%E"),
        needs=("%E<java/lang/RuntimeException",),
        breaks=Machine("VerifyError"),
    ),
    Case(
        "K6",
        "k6merge",
        """class Sup { } class A extends Sup { } class B extends Sup { }
        class User {
            static void take(Sup s) { }
            static void use(boolean x, A a, B b) { Sup s = x ? a : b; take(s); }
        }""",
        keep=("%User.use:(ZL%A;L%B;)V!code", "%A", "%B"),
        needs=("%A<%Sup", "%B<%Sup"),
        breaks=Machine("VerifyError"),
    ),
    Case(
        "K6",
        "k6interface",
        """interface I { void m(); }
        class A implements I { public void m() { } }
        class User { static void run() { use(new A()); } static void use(A a) { I i = a; i.m(); } }""",
        keep=("%User.run:()V!code", "%User.use:(L%A;)V!code"),
        needs=("%A<%I",),
        breaks=Probe('call("User", "run");', "IncompatibleClassChangeError"),
    ),
    Case(
        "K8",
        "k8",
        "class Sup { } class Sub extends Sup { } class User { static Object use(Sup s) { return (Sub) s; } }",
        keep=("%User.use:(L%Sup;)Ljava/lang/Object;!code",),
        needs=("%Sub<%Sup",),
        breaks=Client("class Client { Object use(Sup s) { return (Sub) s; } }", "incompatible types"),
        validity="src",
    ),
    Case(
        "K8",
        "k8final",
        "interface I { } final class F implements I { }"
        " class User { static boolean use(F f) { return f instanceof I; } }",
        keep=("%User.use:(L%F;)Z!code",),
        needs=("%F<%I",),
        breaks=Client("class Client { boolean use(F f) { return f instanceof I; } }", "incompatible types"),
        validity="src",
    ),
    Case(
        "K8",
        "k8interface",
        "interface I { } final class F implements I { }"
        " class User { static boolean use(I i) { return i instanceof F; } }",
        keep=("%User.use:(L%I;)Z!code",),
        needs=("%F<%I",),
        breaks=Client("class Client { boolean use(I i) { return i instanceof F; } }", "incompatible types"),
        validity="src",
    ),
    Case(
        "K8",
        "k8equal",
        "interface I { } final class F implements I { } class User { static boolean use(I i, F f) { return i == f; } }",
        keep=("%User.use:(L%I;L%F;)Z!code", "%I"),
        needs=("%F<%I",),
        breaks=Client("class Client { boolean use(I i, F f) { return i == f; } }", "incomparable types"),
        validity="src",
    ),
    Case(
        "K8",
        "k8enum",
        """interface I { } enum E implements I { A { } }
        class User { static boolean use(I i) { return i == E.A; } }""",
        keep=("%User.use:(L%I;)Z!code", "%I"),
        needs=("%E<%I",),
        breaks=NotShown("an enum is final where its constants have no bodies, in the source that a decompiler writes"),
        validity="src",
    ),
    Case(
        "K9",
        "k9",
        """class Sup { } class Sub extends Sup { }
        class User { static Class<? extends Sup> use() { return Sub.class; } }""",
        keep=("%User.use:()Ljava/lang/Class;!code", "%Sup"),
        needs=("%Sub<%Sup",),
        breaks=Client("class Client { Class<? extends Sup> use() { return Sub.class; } }", "incompatible types"),
        validity="src",
    ),
    Case(
        "K9",
        "k9library",
        """class X implements Runnable { public void run() { } }
        class User { static Object use() { return new Object[] { Runnable.class, X.class }; } }""",
        keep=("%User.use:()Ljava/lang/Object;!code",),
        needs=("%X<java/lang/Runnable",),
        breaks=Client(
            """class Client {
                static <T> void bind(Class<T> type, Class<? extends T> to) { }
                void use() { bind(Runnable.class, X.class); } }""",
            "cannot be applied",
        ),
        validity="src",
    ),
    Case(
        "K9",
        "k9enum",
        """enum E { A }
        class User { static Object use() { return java.util.EnumSet.noneOf(E.class); } }""",
        keep=("%User.use:()Ljava/lang/Object;!code",),
        needs=("%E<java/lang/Enum",),
        breaks=Client("class Client { Object use() { return java.util.EnumSet.noneOf(E.class); } }", "incompatible"),
        validity="src",
    ),
)

LAMBDAS = (
    Case(
        "M4",
        "m4",
        "interface Fn { void apply(); } class User { static Object use() { Fn f = () -> { }; return f; } }",
        keep=("%User.use:()Ljava/lang/Object;!code",),
        needs=("%Fn.apply:()V",),
        breaks=Machine("there is no method apply:()V"),
    ),
    Case(
        "A2",
        "a2",
        "class User { static Runnable use() { return () -> System.out.println(); } }",
        keep=("%User.use:()Ljava/lang/Runnable;!code",),
        needs=("%User.lambda$use$0:()V",),
        breaks=Machine("NoSuchMethodError"),
    ),
    Case(
        "A3",
        "a3",
        """class Sup { } class Sub extends Sup { }
        interface Fn { void accept(Sub s); }
        class User { static void take(Sup s) { } static Object use() { Fn f = User::take; return f; } }""",
        keep=("%User.use:()Ljava/lang/Object;!code",),
        needs=("%Sub<%Sup",),
        breaks=Machine("LambdaConversionException"),
    ),
    Case(
        "A3",
        "a3result",
        """class Sup { } class Sub extends Sup { }
        interface Fn { Sup get(); }
        class User { static Sub make() { return new Sub(); } static void use() { Fn f = User::make; f.get(); } }""",
        keep=("%User.use:()V!code", "%User.make:()L%Sub;!code", "%Sup"),
        needs=("%Sub<%Sup",),
        breaks=Probe('call("User", "use");', "ClassCastException"),
    ),
)

CASES = (*CODE, *LAMBDAS)
