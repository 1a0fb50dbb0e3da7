"""Cases of the rules about generic types (M9, K13 and those beside them)."""

from __future__ import annotations

from rules_case import Case, Client, Probe

CASES = (
    Case(
        "M9",
        "m9",
        "interface D<T> { T m(); } abstract class C<T> implements D<T> { public T m() { return null; } }",
        keep=("%C.m:()Ljava/lang/Object;", "%C<%D", "%C[sig]", "%D.m:()Ljava/lang/Object;[sig]", "%C.<init>:()V"),
        needs=("%C.m:()Ljava/lang/Object;[sig]",),
        breaks=Client("class Client extends C<String> { }", "does not override abstract method"),
        granularity="full",
        validity="src",
    ),
    Case(
        "M9",
        "m9above",
        "interface D<T> { void m(T t); } abstract class C<T> implements D<T> { public void m(T t) { } }",
        keep=("%C.m:(Ljava/lang/Object;)V[sig]", "%C<%D", "%D.m:(Ljava/lang/Object;)V", "%C.<init>:()V"),
        needs=("%D.m:(Ljava/lang/Object;)V[sig]",),
        breaks=Client("class Client extends C<String> { public void m(String s) { } }", "name clash"),
        granularity="full",
        validity="src",
    ),
    Case(
        "M9",
        "m9bridge",
        "abstract class C implements java.util.Comparator<String> {"
        " public int compare(String a, String b) { return 0; } }",
        keep=(
            "%C<java/util/Comparator",
            "%C.compare:(Ljava/lang/Object;Ljava/lang/Object;)I",
            "%C.compare:(Ljava/lang/String;Ljava/lang/String;)I",
            "%C.<init>:()V",
        ),
        needs=("%C[sig]",),
        breaks=Client("class Client extends C { }", "does not override abstract method compare"),
        granularity="full",
        validity="src",
    ),
    Case(
        "M9",
        "m9bridgeabove",
        "abstract class B implements java.util.Comparator<String> { }"
        " class C extends B { public int compare(String a, String b) { return 0; } }",
        keep=(
            "%B<java/util/Comparator",
            "%B.<init>:()V",
            "%C<%B",
            "%C.compare:(Ljava/lang/Object;Ljava/lang/Object;)I",
            "%C.compare:(Ljava/lang/String;Ljava/lang/String;)I",
        ),
        needs=("%B[sig]",),
        breaks=Client(
            "class Client extends B { public int compare(String a, String b) { return 0; } }",
            "does not override abstract method compare",
        ),
        granularity="full",
        validity="src",
    ),
    Case(
        "M9",
        "m9beside",
        """interface I extends Comparable<I> { }
        abstract class D implements I { public int compareTo(I other) { return 0; } }
        abstract class C extends D implements I { }""",
        keep=(
            "%I<java/lang/Comparable",
            "%C<%D",
            "%C<%I",
            "%C.<init>:()V",
            "%D.<init>:()V",
            "%D.compareTo:(Ljava/lang/Object;)I",
            "%D.compareTo:(L%I;)I",
        ),
        needs=("%I[sig]",),
        breaks=Client("class Client extends C { }", "does not override abstract method compareTo"),
        granularity="full",
        validity="src",
    ),
    Case(
        "M9",
        "m9nobridge",
        """abstract class D<T> { void m(T t) { } }
        abstract class C extends D<String> { void m(String s) { } }""",
        keep=("%C<%D", "%C.m:(Ljava/lang/String;)V", "%D.m:(Ljava/lang/Object;)V"),
        needs=("%D.m:(Ljava/lang/Object;)V[sig]", "%C[sig]"),
        breaks=Client("class Client { void f(C c) { D<String> d = c; } }", "does not take parameters"),
        granularity="full",
        validity="src",
    ),
    Case(
        "M9",
        "m9result",
        """abstract class D<A, R> { abstract R m(A a); }
        abstract class C<R> extends D<String, R> { R m(String s) { return null; } }""",
        keep=(
            "%C<%D",
            "%C.m:(Ljava/lang/Object;)Ljava/lang/Object;",
            "%C.m:(Ljava/lang/String;)Ljava/lang/Object;",
            "%C[sig]",
            "%D[sig]",
            "%C.<init>:()V",
            "%D.m:(Ljava/lang/Object;)Ljava/lang/Object;[sig]",
        ),
        needs=("%C.m:(Ljava/lang/String;)Ljava/lang/Object;[sig]",),
        breaks=Client("class Client { Integer f(C<Integer> c) { return c.m(null); } }", "incompatible types"),
        granularity="full",
        validity="src",
    ),
    Case(
        "M9",
        "m9erased",
        """abstract class D<T> { abstract void m(T t); }
        abstract class C extends D<String> { void m(String s) { } }""",
        keep=(
            "%C<%D",
            "%C.m:(Ljava/lang/Object;)V",
            "%C.m:(Ljava/lang/String;)V",
            "%C.<init>:()V",
            "%C[sig]",
            "%D[sig]",
            "%D.m:(Ljava/lang/Object;)V",
        ),
        needs=("%D.m:(Ljava/lang/Object;)V[sig]",),
        breaks=Client("class Client extends D<String> { void m(String s) { } }", "does not override abstract method m"),
        granularity="full",
        validity="src",
    ),
    Case(
        "M9s",
        "m9s",
        """class D { static <T> void m(T t) { } } class C extends D { static <T> void m(T t) { } }""",
        keep=("%C<%D", "%C.m:(Ljava/lang/Object;)V[sig]", "%D.m:(Ljava/lang/Object;)V"),
        needs=("%D.m:(Ljava/lang/Object;)V[sig]",),
        breaks=Client("class Client extends D { static <T> void m(T t) { } }", "name clash"),
        granularity="full",
        validity="src",
    ),
    Case(
        "H6",
        "h6",
        """interface I<T> { } interface B extends I<String> { } class A<T> implements I<T> { }
        class C extends A<String> implements B { }""",
        keep=("%C<%B", "%C<%A", "%B<%I", "%A<%I", "%B[sig]", "%A[sig]", "%C.<init>:()V"),
        needs=("%C[sig]",),
        breaks=Client("class Client extends C { }", "cannot be inherited with different arguments"),
        granularity="full",
        validity="src",
    ),
    Case(
        "H6",
        "h6library",
        """import java.util.*; abstract class A<T> implements Iterator<T> { }
        abstract class C extends A<Integer> implements PrimitiveIterator.OfInt { }""",
        keep=("%C<java/util/PrimitiveIterator$OfInt", "%C<%A", "%A<java/util/Iterator", "%A[sig]", "%C.<init>:()V"),
        needs=("%C[sig]",),
        breaks=Client("abstract class Client extends C { }", "cannot be inherited with different arguments"),
        granularity="full",
        validity="src",
    ),
    Case(
        "K13",
        "k13",
        """class Box { java.util.List<String> f; static java.util.List<String> m() { return null; } }
        class Use { static int use(Box b) { return b.f.get(0).length() + Box.m().get(0).length(); } }""",
        keep=("%Use.use:(L%Box;)I!code",),
        needs=("%Box.f:Ljava/util/List;[sig]", "%Box.m:()Ljava/util/List;[sig]"),
        breaks=Client("class Client { int use(Box b) { return b.f.get(0).length(); } }", "cannot find symbol"),
        granularity="full",
        validity="src",
    ),
    Case(
        "K13",
        "k13lambda",
        """interface F<T> { boolean test(T t); }
        class Use { static boolean is(String s) { return true; } static F<String> use() { return Use::is; } }""",
        keep=("%Use.use:()L%F;!code", "%F[sig]"),
        needs=("%F.test:(Ljava/lang/Object;)Z[sig]",),
        breaks=Client("class Client { F<String> f = Use::is; }", "invalid method reference"),
        granularity="full",
        validity="src",
    ),
    Case(
        "K13",
        "k13open",
        """class Box { Class<?> f; static Class<?> m() { return null; } }
        class Use { static Deprecated use(Box b) {
            return b.f.getAnnotation(Deprecated.class) != null ? null : Box.m().getAnnotation(Deprecated.class); } }""",
        keep=("%Use.use:(L%Box;)Ljava/lang/Deprecated;!code",),
        needs=("%Box.f:Ljava/lang/Class;[sig]", "%Box.m:()Ljava/lang/Class;[sig]"),
        breaks=Client(
            "class Client { Deprecated use(Box b) { return b.f.getAnnotation(Deprecated.class); } }",
            "incompatible types",
        ),
        granularity="full",
        validity="src",
    ),
    Case(
        "K13",
        "k13openarray",
        """class Box { Class<?> f; }
        class Use { static Object use(Box b) { return b.f.getTypeParameters(); } }""",
        keep=("%Use.use:(L%Box;)Ljava/lang/Object;!code",),
        needs=("%Box.f:Ljava/lang/Class;[sig]",),
        breaks=Client(
            "class Client { String f(Box b) { return b.f.getTypeParameters()[0].getGenericDeclaration().getName(); } }",
            "cannot find symbol",
        ),
        granularity="full",
        validity="src",
    ),
    Case(
        "K13",
        "k13openobject",
        """class Box { java.util.Map<?, ?> f; }
        class Use { static String use(Box b) { return (String) b.f.get(""); } }""",
        keep=("%Use.use:(L%Box;)Ljava/lang/String;!code",),
        needs=("%Box.f:Ljava/util/Map;[sig]",),
        breaks=Client(
            "class Client { void f(Box b) { for (java.util.Map.Entry<?, ?> e : b.f.entrySet()) { } } }",
            "incompatible types",
        ),
        granularity="full",
        validity="src",
    ),
    Case(
        "C2b",
        "c2bgeneric",
        """class B<T> { } class X extends B<String> { }
        class G<T, E extends B<T>> { } class C extends G<String, X> { }""",
        keep=("%C[sig]", "%C<%G", "%B", "%B[sig]"),
        needs=("%X[sig]",),
        breaks=Client("class Client { G<String, X> f; }", "not within bounds"),
        granularity="full",
        validity="src",
    ),
    Case(
        "K13",
        "k13inherited",
        """class X extends java.util.ArrayList<String> { }
        class Use { static String use(X x) { return x.get(0); } }""",
        keep=("%Use.use:(L%X;)Ljava/lang/String;!code",),
        needs=("%X[sig]",),
        breaks=Client("class Client { String f(X x) { return x.get(0); } }", "incompatible types"),
        granularity="full",
        validity="src",
    ),
    Case(
        "K13",
        "k13openown",
        """class Use {
            static Deprecated use(Class<?> type) { return type.getAnnotation(Deprecated.class); } }""",
        keep=("%Use.use:(Ljava/lang/Class;)Ljava/lang/Deprecated;!code",),
        needs=("%Use.use:(Ljava/lang/Class;)Ljava/lang/Deprecated;[sig]",),
        breaks=Probe(
            'if (type("Use").getDeclaredMethods()[0].getGenericParameterTypes()[0] instanceof Class)'
            ' throw new ClassCastException("raw");',
            "raw",
        ),
        granularity="full",
        validity="src",
    ),
    Case(
        "K15",
        "k15",
        """import java.util.*;
        class C {
            static void m(ArrayList<String> list) { }
            static void m(List<String> list) { }
            static void use() { m(new ArrayList<>()); } }""",
        keep=("%C.use:()V!code", "%C.m:(Ljava/util/List;)V[sig]"),
        needs=("%C.m:(Ljava/util/ArrayList;)V[sig]",),
        breaks=Client(
            "class Client { void use() { C.m(new java.util.ArrayList<String>()); } }", "reference to m is ambiguous"
        ),
        granularity="full",
        validity="src",
    ),
    Case(
        "K14",
        "k14",
        """interface I { } class X implements I { }
        class Box { java.util.List<I> f; void use() { f.add(new X()); } }""",
        keep=("%Box.use:()V!code", "%I"),
        needs=("%X<%I",),
        breaks=Client("class Client { void use(Box b) { b.f.add(new X()); } }", "incompatible types"),
        granularity="full",
        validity="src",
    ),
    Case(
        "K14",
        "k14taken",
        """class W { } class X extends W { }
        class Box { java.util.List<X> f; W use() { return f.get(0); } }""",
        keep=("%Box.use:()L%W;!code", "%X", "%W"),
        needs=("%X<%W",),
        breaks=Client("class Client { W use(Box b) { return b.f.get(0); } }", "incompatible types"),
        granularity="full",
        validity="src",
    ),
    Case(
        "K14",
        "k14own",
        """interface I { } class X implements I { }
        class Use extends java.util.ArrayList<I> { void use() { super.add(new X()); } }""",
        keep=("%Use.use:()V!code", "%Use.<init>:()V", "%Use<java/util/ArrayList", "%Use[sig]", "%I"),
        needs=("%X<%I",),
        breaks=Client("class Client extends Use { void more() { super.add(new X()); } }", "incompatible types"),
        granularity="full",
        validity="src",
    ),
    Case(
        "K14",
        "k14class",
        """interface I { } class X implements I { } class Bag<T> { void put(T t) { } }
        class Bags extends Bag<I> { }
        class Use { void use(Bags b) { b.put(new X()); } }""",
        keep=("%Use.use:(L%Bags;)V!code", "%Bags[sig]", "%Bag.put:(Ljava/lang/Object;)V[sig]"),
        needs=("%X<%I",),
        breaks=Client("class Client { void use(Bags b) { b.put(new X()); } }", "incompatible types"),
        granularity="full",
        validity="src",
    ),
)
