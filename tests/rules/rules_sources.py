"""Programs for the rules about what only source demands of types and methods: bounds, overriding (C1s to M8)."""

from __future__ import annotations

from rules_case import Case, Client, Probe

TYPES = (
    Case(
        "C1s",
        "c1s",
        "@FunctionalInterface interface F { void m(); }",
        keep=("%F",),
        needs=("%F.m:()V",),
        breaks=Client("class Client { F f = () -> { }; }", "not a functional interface"),
        validity="src",
    ),
    Case(
        "C1s",
        "c1sinherited",
        "interface G<T> { void m(T t); void n(); } @FunctionalInterface interface F extends G<String> {"
        " default void n() { } }",
        keep=("%F", "%F<%G", "%G.n:()V"),
        needs=("%G.m:(Ljava/lang/Object;)V", "%F.n:()V"),
        breaks=Client("class Client { F f = x -> { }; }", "incompatible"),
        validity="src",
    ),
    Case(
        "C2b",
        "c2b",
        "class B { } class A extends B { } class G<T extends B> { } class Use { G<A> f; }",
        keep=("%Use.f:L%G;[sig]", "%A"),
        needs=("%A<%B",),
        breaks=Client("class Client { G<A> f; }", "not within bounds"),
        granularity="full",
        validity="src",
    ),
    Case(
        "C2b",
        "c2bvariable",
        "interface B { } class A implements B { } class G<T extends B> { } class Use<U extends A> { G<U> f; }",
        keep=("%Use.f:L%G;", "%Use", "%A", "%B"),
        needs=("%A<%B",),
        breaks=Client("class Client<U extends A> { G<U> f; }", "not within bounds"),
        validity="src",
    ),
    Case(
        "C2b",
        "c2blibrary",
        "class A implements Comparable<A> { public int compareTo(A a) { return 0; } }"
        " class Use { <T extends Comparable<T>> void m(T t) { } static class G<T extends Comparable<T>> { }"
        " static G<A> f; }",
        keep=("%Use.f:L%Use$G;[sig]", "%A"),
        needs=("%A<java/lang/Comparable",),
        breaks=Client("class Client { Use.G<A> f; }", "not within bounds"),
        granularity="full",
        validity="src",
    ),
    Case(
        "C3",
        "c3some",
        "enum E { A }",
        keep=("%E<java/lang/Enum",),
        needs=("%E.A:L%E;",),
        breaks=Client("class Client { E e = E.A; }", "cannot find symbol"),
        validity="src",
    ),
    Case(
        "C9",
        "c9",
        "class Outer { class In { Outer get() { return Outer.this; } } }",
        keep=("%Outer$In.<init>:(L%Outer;)V",),
        needs=("%Outer$In.<init>:(L%Outer;)V!code", "%Outer$In.this$0:L%Outer;"),
        breaks=Probe('type("Outer$In").getDeclaredField("this$0");', "NoSuchFieldException"),
        validity="src",
    ),
    Case(
        "C9",
        "c9local",
        "class Outer { static Object m(int x) { return new Object() { int get() { return x; } }; } }",
        keep=("%Outer$1.<init>:(I)V",),
        needs=("%Outer$1.<init>:(I)V!code", "%Outer$1.val$x:I"),
        breaks=Probe('type("Outer$1").getDeclaredField("val$x");', "NoSuchFieldException"),
        validity="src",
    ),
)

METHODS = (
    Case(
        "M6",
        "m6",
        "class Q { } class R extends Q { } class D { Q m() { return null; } }"
        " class C extends D { R m() { return null; } }",
        keep=("%C.m:()L%R;", "%C<%D", "%D.m:()L%Q;"),
        needs=("%R<%Q",),
        breaks=Client("class Client extends C { R m() { return null; } }", "return type"),
        validity="src",
    ),
    Case(
        "M7",
        "m7",
        "class E extends Exception { } class D { void m() throws E { } } class C extends D { void m() throws E { } }",
        keep=("%C.m:()V[throws %E]", "%C<%D", "%D.m:()V"),
        needs=("%D.m:()V[throws %E]",),
        breaks=Client("class Client extends C { void m() throws E { } }", "does not throw"),
        granularity="full",
        validity="src",
    ),
    Case(
        "M7",
        "m7above",
        "class F extends Exception { } class E extends F { } class D { void m() throws F { } }"
        " class C extends D { void m() throws E { } }",
        keep=("%C.m:()V[throws %E]", "%C<%D", "%D.m:()V"),
        needs=("%D.m:()V[throws %F]",),
        breaks=Client("class Client extends C { void m() throws E { } }", "does not throw"),
        granularity="full",
        validity="src",
    ),
    Case(
        "M7",
        "m7bridge",
        "class E extends Exception { } class D<T> { void m(T t) throws E { } }"
        " class C extends D<String> { void m(String s) throws E { } }",
        keep=(
            "%C.m:(Ljava/lang/String;)V[throws %E]",
            "%C<%D",
            "%D.m:(Ljava/lang/Object;)V",
            "%C.<init>:()V",
        ),
        needs=("%D.m:(Ljava/lang/Object;)V[throws %E]",),
        breaks=Client("class Client extends C { void m(String s) throws E { } }", "does not throw"),
        granularity="full",
        validity="src",
    ),
    Case(
        "M8",
        "m8",
        "abstract class C implements java.util.Comparator<String> {"
        " public int compare(String a, String b) { return 0; } }",
        keep=(
            "%C<java/util/Comparator",
            "%C.compare:(Ljava/lang/Object;Ljava/lang/Object;)I",
            "%C.<init>:()V",
        ),
        needs=(
            "%C.compare:(Ljava/lang/String;Ljava/lang/String;)I",
            "%C.compare:(Ljava/lang/Object;Ljava/lang/Object;)I!code",
        ),
        breaks=Client("class Client extends C { }", "does not override abstract method compare"),
        validity="src",
    ),
)

CASES = (*TYPES, *METHODS)
