"""Cases of the rules about what compilers infer and decompilers guess: bounds of annotations, lambdas, stubs."""

from __future__ import annotations

from rules_case import Case, Client, NotShown, Probe

TABLES = """byte[] file = type("C").getResourceAsStream("C.class").readAllBytes();
    if (!new String(file, "ISO-8859-1").contains("LocalVariable")) throw new Error("no table of local variables");"""

_LAMBDA = "interface F<T> { T get(); } class C { static F<String> make() { return () -> new String(); } }"

CASES = (
    Case(
        "C1b",
        "c1bdefault",
        """interface I<T> { } class V implements I<String> { }
        @interface A { Class<? extends I<?>> value() default V.class; }""",
        keep=("%A.value:()Ljava/lang/Class;[sig]", "%A<java/lang/annotation/Annotation", "%I"),
        needs=("%V<%I", "%V[sig]"),
        breaks=Client("@A(V.class) class Client { }", "incompatible types"),
        granularity="full",
        validity="src",
    ),
    Case(
        "C1b",
        "c1buse",
        "interface I { } class V implements I { } @interface A { Class<? extends I>[] value(); }"
        " @A(V.class) class C { }",
        keep=("%C[@%A]", "%A.value:()[Ljava/lang/Class;[sig]", "%I"),
        needs=("%V<%I",),
        breaks=Client("@A(V.class) class Client { }", "incompatible types"),
        granularity="full",
        validity="src",
    ),
    Case(
        "C1b",
        "c1blibrary",
        "@java.lang.annotation.Repeatable(H.class) @interface A { } @interface H { A[] value(); }",
        keep=("%A[@java/lang/annotation/Repeatable]",),
        needs=("%H<java/lang/annotation/Annotation",),
        breaks=Client("@A @A class Client { }", "not a valid repeatable"),
        granularity="full",
        validity="src",
    ),
    Case(
        "C1r",
        "c1rvalue",
        "@java.lang.annotation.Repeatable(H.class) @interface A { } @interface H { A[] value(); }",
        keep=("%A[@java/lang/annotation/Repeatable]",),
        needs=("%H.value:()[L%A;",),
        breaks=Client("@A @A class Client { }", "not a valid @Repeatable"),
        granularity="full",
        validity="src",
    ),
    Case(
        "C1r",
        "c1rmeta",
        """import java.lang.annotation.*; @Retention(RetentionPolicy.RUNTIME) @Repeatable(H.class) @interface A { }
        @Retention(RetentionPolicy.RUNTIME) @interface H { A[] value(); }""",
        keep=("%A[@java/lang/annotation/Repeatable]", "%A[@java/lang/annotation/Retention]", "%H.value:()[L%A;"),
        needs=("%H[@java/lang/annotation/Retention]",),
        breaks=NotShown("javac compares the two where it compiles A, not where A is used"),
        granularity="full",
        validity="src",
    ),
    Case(
        "A4",
        "a4library",
        "class C { ProcessBuilder.Redirect.Type f; }",
        keep=("%C.f:Ljava/lang/ProcessBuilder$Redirect$Type;",),
        needs=("%C[inner java/lang/ProcessBuilder$Redirect]",),
        breaks=NotShown("Procyon, without that library, imports Redirect by a name with a dollar"),
        granularity="full",
        validity="src",
    ),
    Case(
        "A5",
        "a5",
        "class C extends a5.open.Program { X f; }",
        keep=("%C.f:L%open/Program$X;", "%open/Program$X"),
        needs=("%C<%open/Program",),
        breaks=Client("class Client extends C { X g; }", "cannot find symbol"),
        granularity="full",
        validity="src",
        more=(("open", "public class Program { protected static class X { } }"),),
    ),
    Case(
        "K3",
        "k3row",
        """import java.util.*; class C { static Object use() { return Locale.getDefault(null); }
            static Object other() { return Locale.Category.FORMAT; } }""",
        keep=("%C.use:()Ljava/lang/Object;!code",),
        needs=("%C[inner java/util/Locale$Category]",),
        breaks=NotShown("Procyon writes a cast to the parameter's type, with a dollar in its name"),
        granularity="full",
        validity="src",
    ),
    Case(
        "C3",
        "c3bare",
        "enum E { A; E() { this(7); } E(int i) { } }",
        keep=(
            "%E<java/lang/Enum",
            "%E.<init>:(Ljava/lang/String;I)V",
            "%E.<init>:(Ljava/lang/String;II)V",
        ),
        needs=("%E.<init>:(Ljava/lang/String;I)V!code",),
        breaks=NotShown("Procyon takes a constructor that does nothing for the one that javac adds, and leaves it out"),
        validity="src",
    ),
    Case(
        "H3s",
        "h3sother",
        """class E extends Exception { } class S { S(int i) throws E { } S() { } }
        class C extends S { C() { } }""",
        keep=("%C.<init>:()V", "%C<%S", "%S.<init>:(I)V[throws %E]"),
        needs=("%S.<init>:()V",),
        breaks=Probe('type("S").getDeclaredConstructor();', "NoSuchMethodException"),
        granularity="full",
        validity="src",
    ),
    Case(
        "K10",
        "k10anonymous",
        """class E extends Exception { } class S { S() throws E { } }
        class C { static S use() { try { return new S() { }; } catch (E e) { return null; } } }""",
        keep=("%C.use:()L%S;!code", "%C$1<%S"),
        needs=("%S.<init>:()V[throws %E]",),
        breaks=Client(
            "class Client { static S use() { try { return new S() { }; } catch (E e) { return null; } } }",
            "never thrown",
        ),
        granularity="full",
        validity="src",
    ),
    Case(
        "M8",
        "m8lambda",
        _LAMBDA,
        keep=("%C.make:()L%F;!code",),
        needs=("%C.lambda$make$0:()Ljava/lang/String;!code",),
        breaks=Probe(
            'var make = type("C").getDeclaredMethod("make"); make.setAccessible(true);'
            ' var get = type("F").getMethod("get"); get.setAccessible(true);'
            " java.util.Objects.requireNonNull(get.invoke(make.invoke(null)));",
            "NullPointerException",
        ),
        validity="src",
    ),
    Case(
        "M9",
        "m9met",
        """class T { } class U extends T { } interface P<X extends T> { void end(X x); }
        abstract class A<X extends T> implements P<X> { public void end(X x) { } } interface R extends P<U> { }
        abstract class B extends A<U> implements R { }""",
        keep=("%B<%A", "%B<%R", "%R<%P", "%A.end:(L%T;)V", "%P.end:(L%T;)V[sig]", "%B[sig]", "%R[sig]"),
        needs=("%A.end:(L%T;)V[sig]",),
        breaks=Client("abstract class Client extends A<U> implements R { }", "name clash"),
        granularity="full",
        validity="src",
    ),
    Case(
        "M9",
        "m9metbetween",
        """class T { } class U extends T { } interface P<X extends T> { void end(X x); }
        abstract class A<X extends T> { public void end(X x) { } } interface R extends P<U> { }
        abstract class B extends A<U> implements R { }""",
        keep=("%B<%A", "%B<%R", "%R<%P", "%A.end:(L%T;)V[sig]", "%P.end:(L%T;)V[sig]", "%B[sig]", "%B.<init>:()V"),
        needs=("%R[sig]",),
        breaks=Client("abstract class Client extends A<U> implements R { }", "name clash"),
        granularity="full",
        validity="src",
    ),
    Case(
        "K16",
        "k16",
        """class C { static int use(int n) {
            if (n > 1) { String s = "a".repeat(n); return s.length(); }
            int[] all = new int[n]; return all[0]; } }""",
        keep=("%C.use:(I)I!code",),
        needs=("%C[variables]",),
        breaks=Probe(TABLES, "no table of local variables"),
        granularity="full",
        validity="src",
    ),
    Case(
        "K16",
        "k16generic",
        """import java.util.*; class C { static int use() {
            List<String> all = new ArrayList<>(); int n = 0; for (String s : all) { n += s.length(); } return n; } }""",
        keep=("%C.use:()I!code",),
        needs=("%C[variables]",),
        breaks=Probe(TABLES, "no table of local variables"),
        granularity="full",
        validity="src",
    ),
    Case(
        "K16",
        "k16object",
        """class C { static Object use(boolean b) {
            Object o; if (b) { o = new int[1]; } else { o = new byte[1]; } return o; } }""",
        keep=("%C.use:(Z)Ljava/lang/Object;!code",),
        needs=("%C[variables]",),
        breaks=Probe(TABLES, "no table of local variables"),
        granularity="full",
        validity="src",
    ),
    Case(
        "K16",
        "k16captured",
        """class C { Runnable use(String s) {
            String t = s.trim(); return new Runnable() { public void run() { t.length(); } }; } }""",
        keep=("%C.use:(Ljava/lang/String;)Ljava/lang/Runnable;!code",),
        needs=("%C[variables]",),
        breaks=Probe(TABLES, "no table of local variables"),
        granularity="full",
        validity="src",
    ),
    Case(
        "M9",
        "m9inherited",
        """interface I { void done(String s); } class D<T> { public void done(T t) { } }
        class C extends D<String> implements I { }""",
        keep=("%C<%I", "%I.done:(Ljava/lang/String;)V", "%C.<init>:()V"),
        needs=("%D.done:(Ljava/lang/Object;)V[sig]", "%C[sig]"),
        breaks=NotShown("source has no such bridge: javac then finds nothing that implements I.done"),
        granularity="full",
        validity="src",
    ),
    Case(
        "M9",
        "m9library",
        """import java.util.*; abstract class A<V> { public V remove(Object k) { return null; } }
        abstract class C<K, V> extends A<V> implements Map<K, V> { }""",
        keep=(
            "%C<%A",
            "%C<java/util/Map",
            "%C[sig]",
            "%A.remove:(Ljava/lang/Object;)Ljava/lang/Object;",
            "%C.<init>:()V",
        ),
        needs=("%A.remove:(Ljava/lang/Object;)Ljava/lang/Object;[sig]",),
        breaks=Client("abstract class Client<K, V> extends C<K, V> { }", "return type"),
        granularity="full",
        validity="src",
    ),
    Case(
        "M9",
        "m9librarybetween",
        """import java.util.*; abstract class A<T> { public int compare(T a, T b) { return 0; } }
        interface I<T> extends Comparator<T> { } interface J extends I<String> { }
        abstract class C extends A<String> implements J { }""",
        keep=(
            "%C<%A",
            "%C<%J",
            "%J<%I",
            "%I<java/util/Comparator",
            "%I[sig]",
            "%C[sig]",
            "%C.<init>:()V",
            "%A.compare:(Ljava/lang/Object;Ljava/lang/Object;)I[sig]",
        ),
        needs=("%J[sig]",),
        breaks=Client("class Client extends A<String> implements J { }", "does not override abstract method compare"),
        granularity="full",
        validity="src",
    ),
    Case(
        "M9",
        "m9overload",
        """interface V<T> { } interface W<T> { }
        interface D<T> { void m(V<? extends T> v); void m(W<? extends T> w); }
        abstract class C<T> implements D<T> { public void m(W<? extends T> w) { } }""",
        keep=("%C<%D", "%C[sig]", "%C.m:(L%W;)V[sig]", "%D.m:(L%V;)V[sig]", "%C.<init>:()V"),
        needs=("%D.m:(L%W;)V",),
        breaks=Client(
            "abstract class Client<T> implements D<T> { @Override public void m(W<? extends T> w) { } }",
            "does not override",
        ),
        granularity="full",
        validity="src",
    ),
    Case(
        "M3s",
        "m3s",
        """interface I { Object clone(); }
        abstract class C implements I { public Object clone() { return null; } }""",
        keep=("%C<%I", "%I.clone:()Ljava/lang/Object;", "%C.<init>:()V"),
        needs=("%C.clone:()Ljava/lang/Object;",),
        breaks=Client("abstract class Client extends C { }", "weaker access"),
        validity="src",
    ),
    Case(
        "K16",
        "k16cast",
        """class C { static String use(Object[] all) { Object o = all[0]; return (String) o; } }""",
        keep=("%C.use:([Ljava/lang/Object;)Ljava/lang/String;!code",),
        needs=("%C[variables]",),
        breaks=Probe(TABLES, "no table of local variables"),
        granularity="full",
        validity="src",
    ),
    Case(
        "K16",
        "k16caught",
        """class C { static int use(String s) {
            try { return s.length(); } catch (IllegalStateException | ClassCastException e) { return 1; } } }""",
        keep=("%C.use:(Ljava/lang/String;)I!code",),
        needs=("%C[variables]",),
        breaks=Probe(TABLES, "no table of local variables"),
        granularity="full",
        validity="src",
    ),
    Case(
        "K16",
        "k16lambda",
        """interface F { String get(); } class C { static F make(int n) { return () -> String.valueOf(n); } }""",
        keep=("%C.make:(I)L%F;!code", "%C.lambda$make$0:(I)Ljava/lang/String;!code"),
        needs=("%C[variables]",),
        breaks=Probe(TABLES, "no table of local variables"),
        granularity="full",
        validity="src",
    ),
    Case(
        "K16",
        "k16bare",
        """class C<K> { Object[] all; @SuppressWarnings("unchecked") Object use() { K k = (K) all[0]; return k; } }""",
        keep=("%C.use:()Ljava/lang/Object;!code",),
        needs=("%C[sig]",),
        breaks=Client("class Client { C<String> f; }", "does not take parameters"),
        granularity="full",
        validity="src",
    ),
    Case(
        "K16",
        "k16declared",
        """class Box<T> { } class C { static <T> Object use() { Box<T> box = new Box<>(); return box; } }""",
        keep=("%C.use:()Ljava/lang/Object;!code",),
        needs=("%C.use:()Ljava/lang/Object;[sig]", "%Box[sig]"),
        breaks=Client("class Client { Box<String> f; }", "does not take parameters"),
        granularity="full",
        validity="src",
    ),
)
