"""Classes that belong together, and ways to break one piece of them, each with the finding that a judge must have."""

from __future__ import annotations

from collections.abc import Callable

from core.classfile.class_file import ClassFile, parse
from tests.support.rebuilt_class import put, rebuilt

Classes = dict[str, bytes]


WHOLE = {
    "p/Base.java": """package p;
        public abstract class Base implements Shape {
            protected int size;
            static int made;
            public abstract String title();
            public int area() { return size * size; }
            public static Base of(int size) { made++; return new Square(size); }
        }""",
    "p/Shape.java": "package p; public interface Shape { int area(); default void text() {} }",
    "p/Other.java": "package p; public interface Other { default void same() {} }",
    "p/Square.java": """package p;
        import java.util.function.*;
        public class Square extends Base implements Other, Comparable<Square> {
            private final Note note = new Note("a", 1);
            Square(int size) { this.size = size; }
            public String title() { return "square of " + size + note.hashCode(); }
            public int compareTo(Square that) { return Integer.compare(size, that.size); }
            public String sum() {
                Supplier<String> first = this::title;
                Mark second = n -> n + size;
                Runnable third = (Runnable & java.io.Serializable) () -> {};
                return new Inner().peek() + first.get() + second.mark(2) + third;
            }
            class Inner { int peek() { return secret(); } }
            private int secret() { return size; }
        }""",
    "p/Mark.java": """package p;
        public interface Mark extends Remark { int mark(int n); boolean equals(Object o); default void more() {} }
        interface Remark { void more(); }""",
    "p/Note.java": "package p; record Note(String text, int number) {}",
    "p/Colour.java": """package p;
        @Tag(level = Colour.RED) public enum Colour { RED, GREEN { int n() { return 2; } }; int n() { return 1; } }
        @java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME)
        @interface Tag { Colour level(); int more() default 1; }""",
    "p/Tree.java": "package p; sealed interface Tree permits Leaf {} final class Leaf implements Tree {}",
    "p/Maker.java": """package p;
        class Maker {
            static <T> java.util.function.Supplier<T> make(T t) {
                return new java.util.function.Supplier<T>() { public T get() { return t; } };
            }
        }""",
    "p/Api.java": "package p; abstract class Api { Gone field; native Gone method(Gone x) throws Lost; }"
    " class Gone {} class Lost extends Exception {}",
    "p/Main.java": """package p;
        public final class Main {
            static { if (true) throw new Error("no initialiser may run"); }
            static <T extends Comparable<T>> T most(T a, T b) { return a.compareTo(b) < 0 ? b : a; }
            public static void main(String[] arguments) throws Failure, Throwable {
                Base base = Base.of(3);
                Shape shape = base;
                if (base.area() + shape.area() + Base.made < 0) throw new Failure();
                System.out.println(base.title() + new int[0].clone().length + most(1, 2));
                java.lang.invoke.MethodHandles.constant(int.class, 1).invokeExact();
                switch (Colour.valueOf("RED")) { case RED: return; default: throw new IllegalStateException(); }
            }
        }
        class Failure extends Exception { Failure() { super("x"); } }""",
}


def member(classes: Classes, path: str, kind: str, name: str) -> tuple[ClassFile, int]:
    """A class, and the place of one of its fields or methods."""
    cf = parse(classes[path])
    names = [found.name_text for found in getattr(cf, kind)]
    assert names.count(name) == 1, names
    return cf, names.index(name)


def drop(path: str, kind: str, name: str) -> Callable[[Classes], None]:
    def edit(classes: Classes) -> None:
        cf, place = member(classes, path, kind, name)
        del getattr(cf, kind)._table[place]
        classes[path] = rebuilt(cf)

    return edit


def flags(path: str, kind: str, name: str, off: int, on: int = 0) -> Callable[[Classes], None]:
    def edit(classes: Classes) -> None:
        cf, place = member(classes, path, kind, name)
        found = getattr(cf, kind)._table[place]
        found.access = found.access & ~off | on
        classes[path] = rebuilt(cf)

    return edit


def access(path: str, off: int, on: int) -> Callable[[Classes], None]:
    def edit(classes: Classes) -> None:
        cf = parse(classes[path])
        cf.access = cf.access & ~off | on
        classes[path] = rebuilt(cf)

    return edit


def renamed(path: str, old: bytes, new: bytes) -> Callable[[Classes], None]:
    def edit(classes: Classes) -> None:
        assert classes[path].count(old) == 1
        classes[path] = classes[path].replace(old, new)

    return edit


def missing(*paths: str) -> Callable[[Classes], None]:
    def edit(classes: Classes) -> None:
        for path in paths:
            del classes[path]

    return edit


def cut(path: str) -> Callable[[Classes], None]:
    def edit(classes: Classes) -> None:
        classes[path] = classes[path][:100]

    return edit


def wrong_stack(classes: Classes) -> None:
    """``aload_0`` becomes ``iconst_0``, so that a field of a number is asked for."""
    cf, place = member(classes, "p/Square", "methods", "secret")
    method = cf.methods._table[place]
    code = method.code
    put(method, code._replace(code=b"\x03" + code.code[1:]))
    classes["p/Square"] = rebuilt(cf)


Broken = tuple[Callable[[Classes], None], str, str, str]


BROKEN: dict[str, Broken] = {
    # what is done, and where the problem is: class, kind, a piece of target or message
    "missing class": (missing("p/Note"), "p/Square", "class", "p/Note"),
    "missing class that the verifier asks for": (missing("p/Failure"), "p/Main", "link", "p/Failure"),
    "missing class that is thrown": (missing("p/Lost"), "p/Api", "throws", "p/Lost"),
    "missing superclass": (missing("p/Base"), "p/Square", "load", "p/Base"),
    "missing interface": (missing("p/Shape"), "p/Base", "load", "p/Shape"),
    "missing method": (drop("p/Base", "methods", "of"), "p/Main", "member", "p/Base.of"),
    "missing field": (drop("p/Base", "fields", "made"), "p/Main", "member", "p/Base.made"),
    "missing constructor": (drop("p/Failure", "methods", "<init>"), "p/Main", "member", "p/Failure.<init>"),
    "field no longer static": (flags("p/Base", "fields", "made", 0x8), "p/Main", "member", "not static"),
    "private constructor": (flags("p/Failure", "methods", "<init>", 0, 0x2), "p/Main", "member", "IllegalAccessError"),
    "field that became final": (flags("p/Base", "fields", "size", 0, 0x10), "p/Square", "member", "is final"),
    "abstract class is made": (access("p/Square$Inner", 0, 0x400), "p/Square", "new", "InstantiationError"),
    "abstract method": (drop("p/Square", "methods", "title"), "p/Square", "abstract", "title"),
    "interface's method": (drop("p/Base", "methods", "area"), "p/Square", "abstract", "area"),
    "implementation not public": (flags("p/Base", "methods", "area", 1, 4), "p/Square", "abstract", "not public"),
    "two default methods": (renamed("p/Other", b"same", b"text"), "p/Square", "abstract", "conflicting"),
    "final superclass": (access("p/Colour", 0x4000, 0x10), "p/Colour$1", "load", "final"),
    "interface became a class": (access("p/Shape", 0x200, 0x20), "p/Base", "load", "not an interface"),
    "class became an interface": (access("p/Failure", 0x20, 0x600), "p/Failure", "load", "ClassFormatError"),
    "wrong type on the stack": (wrong_stack, "p/Square", "link", "p/Square.secret()I"),
    "cut class file": (cut("p/Note"), "p/Note", "format", "p/Note"),
    "sealed against its child": (renamed("p/Tree", b"p/Leaf", b"p/Base"), "p/Leaf", "load", "p.Tree"),
    "nest member not listed": (renamed("p/Square", b"NestMembers", b"Nestmembers"), "p/Square$Inner", "nest", "host"),
    "nest mate's private": (renamed("p/Square", b"NestMembers", b"Nestmembers"), "p/Square$Inner", "member", "secret"),
    "missing nest member": (missing("p/Square$Inner"), "p/Square", "nest", "p/Square$Inner"),
    "missing inner class": (missing("p/Square$Inner"), "p/Square", "inner", "p/Square$Inner"),
    "record without its field": (drop("p/Note", "fields", "text"), "p/Note", "record", "text"),
    "method of a lambda": (drop("p/Square", "methods", "lambda$sum$0"), "p/Square", "member", "lambda$sum$0"),
    "functional interface": (drop("p/Mark", "methods", "mark"), "p/Square", "lambda", "no method mark"),
    "more to implement": (drop("p/Mark", "methods", "more"), "p/Square", "lambda", "p/Remark.more"),
    "missing bootstrap class": (missing("p/Mark"), "p/Square", "class", "p/Mark"),
    "constant of an annotation": (drop("p/Colour", "fields", "RED"), "p/Colour", "annotation", "RED"),
    "element of an annotation": (drop("p/Tag", "methods", "level"), "p/Colour", "annotation", "level"),
    "annotation class": (missing("p/Tag"), "p/Colour", "annotation", "p/Tag"),
    "class in a signature": (renamed("p/Square", b"<Lp/Square;>", b"<Lp/Sphere;>"), "p/Square", "signature", "Sphere"),
    "class in a declaration": (missing("p/Gone"), "p/Api", "descriptor", "p/Gone"),
    "permitted class": (missing("p/Leaf"), "p/Tree", "permitted", "p/Leaf"),
}
