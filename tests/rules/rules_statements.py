"""Programs for the rules about what only source demands of code: exceptions, statements (H3s to K17)."""

from __future__ import annotations

from rules_case import Case, Client, Probe

CASES = (
    Case(
        "H3s",
        "h3s",
        """class E extends Exception { } class S { S() throws E { } }
        class C extends S { C() throws E { } }""",
        keep=("%C.<init>:()V", "%C<%S", "%S.<init>:()V[throws %E]"),
        needs=("%C.<init>:()V[throws %E]",),
        breaks=Client("class Client { void f() { try { new C(); } catch (E e) { } } }", "never thrown"),
        granularity="full",
        validity="src",
    ),
    Case(
        "H3s",
        "h3slibrary",
        """import java.io.*;
        class C extends ObjectInputStream { C() throws IOException { } }""",
        keep=("%C.<init>:()V", "%C<java/io/ObjectInputStream"),
        needs=("%C.<init>:()V[throws java/io/IOException]",),
        breaks=Client(
            "class Client { void f() { try { new C(); } catch (java.io.IOException e) { } } }", "never thrown"
        ),
        granularity="full",
        validity="src",
    ),
    Case(
        "H3s",
        "h3sdefault",
        """class E extends Exception { } class S { S() throws E { } }
        class C extends S { C() throws E { } }""",
        keep=("%C", "%C<%S", "%S.<init>:()V[throws %E]"),
        needs=("%C.<init>:()V",),
        breaks=Probe('type("C").getDeclaredConstructor();', "NoSuchMethodException"),
        granularity="full",
        validity="src",
    ),
    Case(
        "H3s",
        "h3slibrarydefault",
        """import java.io.*;
        class C extends ObjectInputStream { C() throws IOException { } }""",
        keep=("%C", "%C<java/io/ObjectInputStream"),
        needs=("%C.<init>:()V",),
        breaks=Probe('type("C").getDeclaredConstructor();', "NoSuchMethodException"),
        granularity="full",
        validity="src",
    ),
    Case(
        "K10",
        "k10",
        "class E extends Exception { } class C { static void m() throws E { throw new E(); } }",
        keep=("%C.m:()V!code",),
        needs=("%C.m:()V[throws %E]",),
        breaks=Client("class Client { void f() { try { C.m(); } catch (E e) { } } }", "never thrown"),
        granularity="full",
        validity="src",
    ),
    Case(
        "K10",
        "k10catch",
        """class E extends Exception { }
        class D { static void t() throws E { } }
        class C { static void m() { try { D.t(); } catch (E e) { } } }""",
        keep=("%C.m:()V!code",),
        needs=("%D.t:()V[throws %E]",),
        breaks=Client("class Client { void f() { try { D.t(); } catch (E e) { } } }", "never thrown"),
        granularity="full",
        validity="src",
    ),
    Case(
        "K10",
        "k10below",
        """class F extends Exception { } class E extends F { }
        class D { static void t() throws E { } }
        class C { static void m() { try { D.t(); } catch (F f) { } } }""",
        keep=("%C.m:()V!code",),
        needs=("%E", "%E<%F"),
        breaks=Client("class Client { void f() { try { D.t(); } catch (F f) { } } }", "never thrown"),
        validity="src",
    ),
    Case(
        "K10",
        "k10library",
        """interface F { void m() throws Exception; }
        class C { static F use(Thread t) { return t::join; } }""",
        keep=("%C.use:(Ljava/lang/Thread;)L%F;!code",),
        needs=("%F.m:()V[throws java/lang/Exception]",),
        breaks=Client("class Client { F f = Thread.currentThread()::join; }", "incompatible thrown types"),
        granularity="full",
        validity="src",
    ),
    Case(
        "K10",
        "k10through",
        """class R extends java.io.Reader {
            public boolean ready() { return true; }
            public int read(char[] to, int at, int count) { return 0; }
            public void close() { }
            static boolean use(R r) { return r.ready(); } }""",
        keep=("%R.use:(L%R;)Z!code", "%R<java/io/Reader"),
        needs=("%R.ready:()Z",),
        breaks=Client("class Client { boolean f(R r) { return r.ready(); } }", "must be caught or declared"),
        validity="src",
    ),
    Case(
        "K10",
        "k10between",
        """class E extends Exception { }
        class A { void m() throws E { } }
        class B extends A { void m() { } }
        class C extends B { void m() { } static void use(C c) { c.m(); } }""",
        keep=("%C.use:(L%C;)V!code", "%C<%B", "%B<%A", "%A.m:()V[throws %E]"),
        needs=("%B.m:()V",),
        avoid=("%C.m:()V",),
        breaks=Client("class Client { void f(C c) { c.m(); } }", "must be caught or declared"),
        granularity="full",
        validity="src",
    ),
    Case(
        "K10",
        "k10access",
        """class E extends Exception { }
        class D { static void t() throws E { } static void access$0() throws E { t(); } }
        class C { static void m() { try { D.access$0(); } catch (E e) { } } }""",
        keep=("%C.m:()V!code", "%D.access$0:()V!code"),
        needs=("%D.t:()V[throws %E]",),
        breaks=Client("class Client { void f() { try { D.t(); } catch (E e) { } } }", "never thrown"),
        granularity="full",
        validity="src",
    ),
    Case(
        "K10",
        "k10lambda",
        """class E extends Exception { }
        interface F { void m() throws E; }
        class C { static void t() throws E { } static F use() { return C::t; } }""",
        keep=("%C.use:()L%F;!code", "%C.t:()V[throws %E]"),
        needs=("%F.m:()V[throws %E]",),
        breaks=Client("class Client { F f = C::t; }", "incompatible thrown types"),
        granularity="full",
        validity="src",
    ),
    Case(
        "K10",
        "k10lambdathrough",
        """class E extends Exception { }
        interface F { void m() throws E; }
        class B { void t() throws E { } }
        class C extends B { void t() throws E { } F use() { return this::t; } }""",
        keep=("%C.use:()L%F;!code", "%B.t:()V[throws %E]", "%C<%B"),
        avoid=("%C.t:()V",),
        needs=("%F.m:()V[throws %E]",),
        breaks=Client("class Client { F f(C c) { return c::t; } }", "incompatible thrown types"),
        granularity="full",
        validity="src",
    ),
    Case(
        "K11",
        "k11",
        "class R implements AutoCloseable { public void close() { } }"
        " class C { static void m() { try (R r = new R()) { System.out.println(); } } }",
        keep=("%C.m:()V!code",),
        needs=("%R<java/lang/AutoCloseable",),
        breaks=Client("class Client { void f() { try (R r = new R()) { } } }", "try-with-resources not applicable"),
        validity="src",
        avoid=("%R<java/lang/AutoCloseable",),
    ),
    Case(
        "K11",
        "k11iterable",
        "class L implements Iterable<String> { public java.util.Iterator<String> iterator() { return null; } }"
        " class C { static void m(L l) { for (String s : l) { } } }",
        keep=("%C.m:(L%L;)V!code",),
        needs=("%L<java/lang/Iterable",),
        breaks=Client("class Client { void f(L l) { for (Object o : l) { } } }", "for-each not applicable"),
        validity="src",
        avoid=("%L<java/lang/Iterable",),
    ),
    Case(
        "K11",
        "k11covariant",
        "class L implements Iterable<String> { public java.util.ListIterator<String> iterator() { return null; } }"
        " class C { static void m(L l) { for (String s : l) { } } }",
        keep=("%C.m:(L%L;)V!code",),
        needs=("%L<java/lang/Iterable",),
        breaks=Client("class Client { void f(L l) { for (Object o : l) { } } }", "for-each not applicable"),
        validity="src",
        avoid=("%L<java/lang/Iterable",),
    ),
    Case(
        "K11",
        "k11serial",
        "interface F { Object get(); } interface G extends F, java.io.Serializable { }"
        " class C { static G make() { return () -> null; } }",
        keep=("%C.make:()L%G;!code",),
        needs=("%G<java/io/Serializable",),
        breaks=Client("class Client { java.io.Serializable f(G g) { return g; } }", "incompatible types"),
        validity="src",
    ),
    Case(
        "K12",
        "k12",
        "enum E { A, B } class C { static int m(E e) { switch (e) { case A: return 1; default: return 2; } } }",
        keep=(
            "%C.m:(L%E;)I!code",
            "%E.<clinit>:()V!code",
            "%E.values:()[L%E;!code",
            "%E.$values:()[L%E;!code",
            "%E.<init>:(Ljava/lang/String;I)V!code",
        ),
        needs=("%C$1.<clinit>:()V!code",),
        breaks=Probe(
            'java.util.Objects.requireNonNull(field("C$1", "$SwitchMap$k12$E").get(null));', "NullPointerException"
        ),
        validity="src",
    ),
    Case(
        "K12",
        "k12final",
        "enum E { A, B } class C { static int m(E e) { switch (e) { case A: return 1; default: return 2; } } }",
        keep=(
            "%C.m:(L%E;)I!code",
            "%E.<clinit>:()V!code",
            "%E.values:()[L%E;!code",
            "%E.$values:()[L%E;!code",
            "%E.<init>:(Ljava/lang/String;I)V!code",
        ),
        needs=("%C$1.$SwitchMap$k12final$E:[I[final]",),
        # in source: the field by its name, which only the compiler may give
        breaks=Probe(
            """if (!java.lang.reflect.Modifier.isFinal(field("C$1", "$SwitchMap$k12final$E").getModifiers()))
                throw new IllegalStateException("not final");""",
            "not final",
        ),
        validity="src",
    ),
    Case(
        "K17",
        "k17",
        "class B { B(String s) { } } class A extends B { A(Object o) { super(o.toString()); } }",
        keep=("%A.<init>:(Ljava/lang/Object;)V!code",),
        needs=("%A<%B",),
        # in source: an expression before super()
        breaks=Probe(
            'if (type("A").getSuperclass() == Object.class) throw new IllegalStateException("dropped");', "dropped"
        ),
        validity="src",
    ),
    Case(
        "K17",
        "k17local",
        'class B { B(String s) { } } class Use { static Object use() { return new B("") { }; } }',
        keep=("%Use$1.<init>:(Ljava/lang/String;)V!code",),
        needs=("%Use$1<%B",),
        # in source: new Object("") { }
        breaks=Probe(
            'if (type("Use$1").getSuperclass() == Object.class) throw new IllegalStateException("dropped");', "dropped"
        ),
        validity="src",
    ),
)
