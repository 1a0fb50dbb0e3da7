"""Programs for the rules about the hierarchy, fields and methods (H, F, M)."""

from __future__ import annotations

from rules_case import Case, Client, Machine, Probe

HIERARCHY = (
    Case(
        "H1",
        "h1",
        "interface I { } class C implements I { }",
        keep=("%C<%I",),
        needs=("%I",),
        breaks=Machine("NoClassDefFoundError"),
    ),
    Case(
        "H2",
        "h2",
        "class S { } class C extends S { }",
        keep=("%C<%S",),
        needs=("%S",),
        breaks=Machine("NoClassDefFoundError"),
    ),
    Case(
        "H3",
        "h3",
        "class S { S(int x) { } } class C extends S { C() { super(1); } }",
        keep=("%C<%S", "%C.<init>:()V"),
        needs=("%S.<init>:(I)V",),
        breaks=Machine("NoSuchMethodError"),
    ),
    Case(
        "H3",
        "h3choice",
        "class S { S() { } S(int x) { } } class C extends S { C() { super(1); } }",
        keep=("%C<%S", "%C.<init>:()V"),
        needs=("%S.<init>:(I)V",),
        breaks=Machine("NoSuchMethodError"),
        avoid=("%S.<init>:()V",),
    ),
    Case(
        "H3n",
        "h3null",
        """class S { S(Runnable r) { } S(Readable r) { } S(int x) { } }
        class C extends S { C() { super(1); } C(Readable r) { super(r); } }""",
        keep=(
            "%C<%S",
            "%C.<init>:(Ljava/lang/Readable;)V",
            "%S.<init>:(Ljava/lang/Runnable;)V",
            "%S.<init>:(Ljava/lang/Readable;)V",
        ),
        needs=("%S.<init>:(I)V",),
        breaks=Client("class Client extends S { Client() { super(0); } }", "cannot be converted"),
        granularity="full",
        validity="src",
        avoid=("%C.<init>:(Ljava/lang/Readable;)V!code",),
    ),
    Case(
        "H3n",
        "h3nearer",
        """class S { S(Runnable r) { } S(R r) { } } interface R extends Runnable { }
        class C extends S { C(R r) { super(r); } }""",
        keep=("%C<%S", "%C.<init>:(L%R;)V", "%S.<init>:(Ljava/lang/Runnable;)V", "%S.<init>:(L%R;)V", "%R"),
        needs=("%R<java/lang/Runnable",),
        breaks=Client("class Client extends S { Client() { super(null); } }", "ambiguous"),
        granularity="full",
        validity="src",
        avoid=("%C.<init>:(L%R;)V!code",),
    ),
    Case(
        "H3",
        "h3nest",
        """class Host {
            static class S { private S(int x) { } }
            static class C extends S { C() { super(1); } }
        }""",
        keep=("%Host$C<%Host$S", "%Host$C.<init>:()V"),
        needs=("%Host$S.<init>:(I)V", "%Host$C[nest]", "%Host$S[nest]"),
        breaks=Machine("NoSuchMethodError"),
        granularity="full",
    ),
    Case(
        "H4",
        "h4",
        "class S { S(int x) { } } class C extends S { C() { super(1); } }",
        keep=("%C<%S",),
        needs=("%C.<init>:()V",),
        breaks=Client("class Client extends C { }", "constructor C()"),
        validity="src",
    ),
    Case(
        "H5",
        "h5",
        """interface I { default void m() { } }
        interface J { default void m() { } }
        class C implements I, J { public void m() { } }""",
        keep=("%C<%I", "%C<%J", "%I.m:()V", "%J.m:()V"),
        needs=("%C.m:()V",),
        breaks=Machine("conflicting default methods"),
    ),
    Case(
        "H5",
        "h5library",
        """import java.util.*; import java.util.function.Consumer;
        class C implements Iterator<String>, Spliterator<String> {
            public boolean hasNext() { return false; }
            public String next() { return null; }
            public boolean tryAdvance(Consumer<? super String> to) { return false; }
            public Spliterator<String> trySplit() { return null; }
            public long estimateSize() { return 0; }
            public int characteristics() { return 0; }
            public void forEachRemaining(Consumer<? super String> to) { } }""",
        keep=("%C<java/util/Iterator", "%C<java/util/Spliterator"),
        needs=("%C.forEachRemaining:(Ljava/util/function/Consumer;)V",),
        breaks=Machine("conflicting default methods"),
    ),
    Case(
        "M3p",
        "m3p",
        """interface I { default void m() { } }
        class S { void m() { } }
        class C extends S implements I { public void m() { } }""",
        keep=("%C<%I", "%C<%S", "%I.m:()V", "%S.m:()V"),
        needs=("%C.m:()V",),
        breaks=Machine("is not public"),
    ),
)

FIELDS = (
    Case(
        "F1",
        "f1",
        "class D { } class C { D f; }",
        keep=("%C.f:L%D;",),
        needs=("%D",),
        breaks=Probe('type("C").getDeclaredFields();', "NoClassDefFoundError"),
        validity="linked",
    ),
    Case(
        "F2",
        "f2",
        "interface I { Object F = new Object(); }",
        keep=("%I.F:Ljava/lang/Object;",),
        needs=("%I.<clinit>:()V!code",),
        breaks=Probe('java.util.Objects.requireNonNull(field("I", "F").get(null));', "NullPointerException"),
        validity="src",
    ),
    Case(
        "F3",
        "f3",
        "class C { static final Object F = new Object(); }",
        keep=("%C.F:Ljava/lang/Object;[final]",),
        needs=("%C.<clinit>:()V!code",),
        breaks=Probe('java.util.Objects.requireNonNull(field("C", "F").get(null));', "NullPointerException"),
        validity="src",
    ),
    Case(
        "F3",
        "f3instance",
        "class C { final Object f; C() { f = new Object(); } C(int x) { f = x; } }",
        keep=("%C.f:Ljava/lang/Object;[final]", "%C.<init>:()V"),
        needs=("%C.<init>:()V!code",),
        breaks=Probe(
            """var c = type("C").getDeclaredConstructor();
            c.setAccessible(true);
            java.util.Objects.requireNonNull(field("C", "f").get(c.newInstance()));""",
            "NullPointerException",
        ),
        validity="src",
    ),
    Case(
        "F3",
        "f3constant",
        "class C { final int f = 61; C() { } C(int x) { } }",
        keep=("%C.f:I[final]", "%C.<init>:()V!code", "%C.<init>:(I)V"),
        needs=("%C.<init>:(I)V!code",),
        breaks=Probe(
            """var c = type("C").getDeclaredConstructor(int.class);
            c.setAccessible(true);
            if (field("C", "f").getInt(c.newInstance(1)) != 61) throw new IllegalStateException();""",
            "IllegalStateException",
        ),
        validity="src",
    ),
    Case(
        "F3",
        "f3constructor",
        "class C { final Object f; C() { f = new Object(); } }",
        keep=("%C.f:Ljava/lang/Object;[final]",),
        needs=("%C.<init>:()V", "%C.<init>:()V!code"),
        breaks=Probe('type("C").getDeclaredConstructors()[0].getName();', "ArrayIndexOutOfBoundsException"),
        validity="src",
    ),
)

METHODS = (
    Case(
        "M1",
        "m1",
        "class D { } class C { void m(D d) { } }",
        keep=("%C.m:(L%D;)V",),
        needs=("%D",),
        breaks=Probe('type("C").getDeclaredMethods();', "NoClassDefFoundError"),
        validity="linked",
    ),
    Case(
        "M1",
        "m1apart",
        "class D { } class C { void m(D d) { } void m(Object o) { } }",
        keep=("%C.m:(L%D;)V", "%C.m:(Ljava/lang/Object;)V"),
        needs=("%D",),
        breaks=Machine("Duplicate method name"),
        granularity="full",
        validity="linked",
    ),
    Case(
        "M1",
        "m1final",
        "class D { } class B { final void m(Object o) { } } class C extends B { void m(D d) { } }",
        keep=("%C.m:(L%D;)V", "%B.m:(Ljava/lang/Object;)V", "%C<%B"),
        needs=("%D",),
        breaks=Machine("overrides final method"),
        granularity="full",
        validity="linked",
    ),
    Case(
        "M2",
        "m2",
        "class E extends Exception { } class C { void m() throws E { } }",
        keep=("%C.m:()V[throws %E]",),
        needs=("%E",),
        breaks=Machine("m2/E is missing"),
        granularity="full",
    ),
    Case(
        "M2s",
        "m2s",
        "class E extends Exception { } class C { void m() throws E { } }",
        keep=("%C.m:()V[throws %E]",),
        needs=("%E<java/lang/Exception",),
        breaks=Client("class Client { void m() throws E { } }", "incompatible types"),
        granularity="full",
        validity="src",
    ),
    Case(
        "M2s",
        "m2smember",
        "class E extends Exception { } class C { void m() throws E { } }",
        keep=("%C.m:()V", "%E"),
        needs=("%E<java/lang/Exception",),
        breaks=Client("class Client { void m() throws E { } }", "incompatible types"),
        validity="src",
    ),
    Case(
        "M3",
        "m3",
        "abstract class D { abstract void m(); } class P extends D { void m() { } }",
        keep=("%P<%D", "%D.m:()V"),
        needs=("%P.m:()V",),
        breaks=Machine("AbstractMethodError"),
    ),
    Case(
        "M3",
        "m3inherited",
        """interface I { void run(); }
        class B { public void run() { } }
        class A extends B implements I { }""",
        keep=("%A<%I", "%I.run:()V"),
        needs=("%A<%B", "%B.run:()V"),
        breaks=Machine("AbstractMethodError"),
    ),
    Case(
        "M3",
        "m3library",
        "class A implements Runnable { public void run() { } }",
        keep=("%A<java/lang/Runnable",),
        needs=("%A.run:()V",),
        breaks=Machine("AbstractMethodError"),
    ),
    Case(
        "M3",
        "m3default",
        """interface I { void m(); }
        interface J extends I { default void m() { } }
        class A implements J { }""",
        keep=("%A<%J", "%J<%I", "%I.m:()V"),
        needs=("%J.m:()V",),
        breaks=Machine("AbstractMethodError"),
    ),
    Case(
        "M5",
        "m5",
        "@interface A { Class<?> x() default D.class; } class D { }",
        keep=("%A.x:()Ljava/lang/Class;", "%A<java/lang/annotation/Annotation"),
        needs=("%D",),
        breaks=Probe(
            'java.util.Objects.requireNonNull(type("A").getDeclaredMethod("x").getDefaultValue());',
            "TypeNotPresentException",
        ),
        validity="jvm",
    ),
)

CASES = (*HIERARCHY, *FIELDS, *METHODS)
