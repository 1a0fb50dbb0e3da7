"""Cases of the rules about the generic types that code needs (K13, K14)."""

from __future__ import annotations

from rules_case import Case, Client, NotShown, Probe

CASES = (
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
)
