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
        "K13",
        "k13field",
        "class D<K> { K[] array; } class C<K> extends D<K> { Object use() { return array[0]; } }",
        keep=("%C.use:()Ljava/lang/Object;!code", "%D.array:[Ljava/lang/Object;[sig]"),
        needs=("%C[sig]",),
        breaks=Client("class Client<K> { K use(C<K> c) { return c.array[0]; } }", "does not take parameters"),
        granularity="full",
        validity="src",
    ),
    Case(
        "K13",
        "k13access",
        """class Box<P extends Number> {
            P f; void take(P p) { } static <Q extends Number> Q access$0(Box<Q> b) { return b.f; }
            class In { void use() { take(access$0(Box.this)); } } }""",
        keep=(
            "%Box$In.use:()V!code",
            "%Box.take:(Ljava/lang/Number;)V[sig]",
            "%Box.access$0:(L%Box;)Ljava/lang/Number;!code",
        ),
        needs=("%Box.f:Ljava/lang/Number;[sig]",),
        breaks=Client("class Client { <P extends Number> void m(Box<P> b) { b.take(b.f); } }", "cannot be converted"),
        granularity="full",
        validity="src",
    ),
    Case(
        "K13",
        "k13reference",
        """class X { static Class<?> m(String s) { return null; } }
        class Use { static Object use(java.util.stream.Stream<String> s) { return s.map(X::m); } }""",
        keep=("%Use.use:(Ljava/util/stream/Stream;)Ljava/lang/Object;!code",),
        needs=("%X.m:(Ljava/lang/String;)Ljava/lang/Class;[sig]",),
        breaks=Client(
            "import java.util.*; import java.util.stream.*; class Client {"
            " List<Class<?>> f(Stream<String> s) { return s.map(X::m).collect(Collectors.toList()); } }",
            "incompatible types",
        ),
        granularity="full",
        validity="src",
    ),
    Case(
        "K13",
        "k13visible",
        """class Use { String use(k13visible.open.Program b) {
            for (java.util.Map.Entry<String, String> e : b.map().entrySet()) { return e.getKey(); } return null; } }""",
        keep=("%Use.use:(L%open/Program;)Ljava/lang/String;!code",),
        needs=("%open/Hidden.map:()Ljava/util/Map;[sig]", "%open/Program[sig]"),
        breaks=Client(
            "class Client { void f(k13visible.open.Program b) {"
            " for (java.util.Map.Entry<String, String> e : b.map().entrySet()) { } } }",
            "incompatible types",
        ),
        granularity="full",
        validity="src",
        more=(
            (
                "open",
                "abstract class Hidden<T> { public java.util.Map<String, String> map() { return null; } }"
                " public class Program extends Hidden<String> { }",
            ),
        ),
    ),
    Case(
        "K14",
        "k14lambda",
        """import java.util.*; import java.util.stream.*; interface I { } class X implements I { }
        class Use { static X make(String s) { return null; } static void all(Collection<? extends I> c) { }
            static void use(Stream<String> s) { all(s.map(Use::make).collect(Collectors.toSet())); } }""",
        keep=("%Use.use:(Ljava/util/stream/Stream;)V!code", "%I"),
        needs=("%X<%I",),
        breaks=Client("class Client { void f(java.util.Set<X> s) { Use.all(s); } }", "incompatible types"),
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
        "K13",
        "k13below",
        """class L extends java.util.ArrayList<Object> {
            public Object get(int i) { return null; } String use() { return (String) get(0); } }""",
        keep=("%L.use:()Ljava/lang/String;!code", "%L<java/util/ArrayList"),
        needs=("%L.get:(I)Ljava/lang/Object;",),
        breaks=Probe('type("L").getDeclaredMethod("get", int.class);', "NoSuchMethodException"),
        granularity="full",
        validity="src",
    ),
    Case(
        "K13",
        "k13gives",
        """interface I { } class L<T extends I> extends java.util.ArrayList<T> { void put(T t) { add(t); } }""",
        keep=("%L.put:(L%I;)V!code", "%L[sig]", "%I", "%L.<init>:()V"),
        needs=("%L.put:(L%I;)V[sig]",),
        breaks=Client("class Client<T extends I> extends L<T> { void put(T t) { } }", "name clash"),
        granularity="full",
        validity="src",
    ),
    Case(
        "K13",
        "k13made",
        """import java.util.*; class C { static Map<String, Integer> make() {
            Map<String, Integer> m = new HashMap<>(); m.put("a", 1); return m; } }""",
        keep=("%C.make:()Ljava/util/Map;!code",),
        needs=("%C.make:()Ljava/util/Map;[sig]",),
        breaks=Client("class Client { void f() { for (Integer i : C.make().values()) { } } }", "incompatible"),
        granularity="full",
        validity="src",
    ),
    Case(
        "K13",
        "k13raw",
        """import java.util.*; class U { static <T> T call(T t) { return t; } }
        class C { static String[] use(List<String> l) { return U.call(l).toArray(new String[0]); } }""",
        keep=("%C.use:(Ljava/util/List;)[Ljava/lang/String;!code",),
        needs=("%U.call:(Ljava/lang/Object;)Ljava/lang/Object;[sig]",),
        breaks=Client(
            "class Client { String[] f(java.util.List<String> l) { return U.call(l).toArray(new String[0]); } }",
            "cannot find symbol",
        ),
        granularity="full",
        validity="src",
    ),
    Case(
        "K13",
        "k13given",
        """import java.util.concurrent.*; class U { static <T> T call(Callable<T> c) { return null; } }
        class C { static String use() {
            return U.call(new Callable<String>() { public String call() { return ""; } }); } }""",
        keep=("%C.use:()Ljava/lang/String;!code", "%U.call:(Ljava/util/concurrent/Callable;)Ljava/lang/Object;[sig]"),
        needs=("%C$1[sig]",),
        breaks=NotShown("Vineflower leaves out the cast, as if the class of the object had its type arguments"),
        granularity="full",
        validity="src",
    ),
    Case(
        "K14",
        "k14wildcard",
        """import java.util.*; interface I<T> { } class V implements I<String> { } class C {
            static Map<Class<?>, Class<? extends I<?>>> all = new HashMap<>();
            static void put() { all.put(String.class, V.class); } }""",
        keep=("%C.put:()V!code", "%C.all:Ljava/util/Map;[sig]", "%I"),
        needs=("%V[sig]",),
        breaks=Client("class Client { void f() { C.all.put(String.class, V.class); } }", "cannot be converted"),
        granularity="full",
        validity="src",
    ),
    Case(
        "K13",
        "k13hands",
        "class H<T> { } class U { java.util.List<H<?>> all; void put(H<?> h) { all.add(h); } }",
        keep=("%U.put:(L%H;)V!code", "%U.all:Ljava/util/List;[sig]", "%U.<init>:()V"),
        needs=("%U.put:(L%H;)V[sig]",),
        breaks=Client("class Client extends U { void put(H<?> h) { } }", "name clash"),
        granularity="full",
        validity="src",
    ),
    Case(
        "K13",
        "k13above",
        """class H<T> { } class D<P, R> { R take(P p) { return null; } }
        class U extends D<H<?>, Boolean> { boolean use(H<?> h) { return take(h); } }""",
        keep=("%U.use:(L%H;)Z!code", "%U[sig]", "%U.<init>:()V"),
        needs=("%U.use:(L%H;)Z[sig]",),
        breaks=Client("class Client extends U { boolean use(H<?> h) { return true; } }", "name clash"),
        granularity="full",
        validity="src",
    ),
    Case(
        "K13",
        "k13nested",
        """import java.util.function.*; class X<T> { <R> X<R> map(Function<T, R> f) { return null; } }
        class Use { static Supplier<Object> use(X<String> x) { return () -> x.map(String::length); } }""",
        keep=("%Use.lambda$use$0:(L%X;)Ljava/lang/Object;!code",),
        needs=("%Use.use:(L%X;)Ljava/util/function/Supplier;!code",),
        breaks=NotShown("decompilers show such a body as a method with a raw parameter, where s is an Object"),
        granularity="full",
        validity="src",
    ),
    Case(
        "K13",
        "k13alone",
        """import java.util.function.*; class X<T> { T f; BiFunction<T, String, Boolean> is;
            Predicate<String> use(T t) { return s -> is.apply(t, s); } }""",
        keep=(
            "%X.lambda$use$0:(Ljava/lang/Object;Ljava/lang/String;)Z!code",
            "%X.is:Ljava/util/function/BiFunction;[sig]",
        ),
        needs=("%X.use:(Ljava/lang/Object;)Ljava/util/function/Predicate;!code",),
        breaks=NotShown("decompilers show such a body as a method with a parameter of type Object, not T"),
        granularity="full",
        validity="src",
    ),
    Case(
        "K13",
        "k13told",
        """import java.util.function.*; class D<T> { void all(Consumer<T> c) { } } class X extends D<String> { }
        class Use { static void use(X x) { x.all(s -> s.length()); } }""",
        keep=("%Use.use:(L%X;)V!code",),
        needs=("%X[sig]",),
        breaks=Client("class Client { void f(X x) { x.all(s -> s.length()); } }", "cannot find symbol"),
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
        "K13",
        "k13result",
        """import java.util.concurrent.*; interface S<T> { T get(); }
        class Use { static <T> Future<T> use(S<T> s, ExecutorService e) { return e.submit(() -> s.get()); } }""",
        keep=("%Use.use:(L%S;Ljava/util/concurrent/ExecutorService;)Ljava/util/concurrent/Future;!code", "%S[sig]"),
        needs=("%S.get:()Ljava/lang/Object;[sig]",),
        breaks=Client(
            "class Client { <T> java.util.concurrent.Callable<T> f(S<T> s) { return () -> s.get(); } }",
            "incompatible types",
        ),
        granularity="full",
        validity="src",
    ),
    Case(
        "K14",
        "k14literal",
        """class X implements Runnable { public void run() { } }
        class Use { static <A extends Runnable> boolean use(Class<A> a) { return a == X.class; } }""",
        keep=("%Use.use:(Ljava/lang/Class;)Z!code", "%Use.use:(Ljava/lang/Class;)Z[sig]"),
        needs=("%X<java/lang/Runnable",),
        breaks=Client(
            "class Client { <A extends Runnable> boolean f(Class<A> a) { return a == X.class; } }", "incomparable types"
        ),
        granularity="full",
        validity="src",
    ),
    Case(
        "K14",
        "k14outside",
        """import java.util.*; class X implements Comparable<X> { public int compareTo(X x) { return 0; } }
        class Use { List<X> all; void use() { Collections.sort(all); } }""",
        keep=("%Use.use:()V!code", "%X"),
        needs=("%X<java/lang/Comparable",),
        breaks=Client(
            "class Client { void f(java.util.List<X> all) { java.util.Collections.sort(all); } }", "no suitable method"
        ),
        granularity="full",
        validity="src",
    ),
    Case(
        "K13",
        "k13uses",
        """class Box<T extends Number> { void put(T t) { } T take() { return null; } }
        class Use { static Object use() { Box<Integer> box = new Box<>(); box.put(1); return box.take(); } }""",
        keep=("%Use.use:()Ljava/lang/Object;!code", "%Box.take:()Ljava/lang/Number;[sig]"),
        needs=("%Box.put:(Ljava/lang/Number;)V[sig]",),
        breaks=Client("class Client<T extends Number> extends Box<T> { void put(T t) { } }", "name clash"),
        granularity="full",
        validity="src",
    ),
    Case(
        "K14",
        "k14local",
        """import java.util.*; interface I { } class X implements I { }
        class Use {
            List<I> f; static Object use() { List<I> all = new ArrayList<>(); all.add(new X()); return all; } }""",
        keep=("%Use.use:()Ljava/lang/Object;!code", "%I"),
        needs=("%X<%I",),
        breaks=Client("class Client { void f(java.util.List<I> l) { l.add(new X()); } }", "incompatible"),
        granularity="full",
        validity="src",
    ),
    Case(
        "K14",
        "k14bound",
        """import java.util.*; interface B { } class X implements B { }
        class Use { static List<X> f; static <T extends B> void all(List<T> l) { } static void use() { all(f); } }""",
        keep=("%Use.use:()V!code", "%B", "%Use.all:(Ljava/util/List;)V[sig]", "%Use.f:Ljava/util/List;[sig]", "%X"),
        needs=("%X<%B",),
        breaks=Client("class Client { void f(java.util.List<X> l) { Use.all(l); } }", "cannot be applied"),
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
