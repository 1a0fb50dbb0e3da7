"""What is left of a class without a part of it, kind by kind."""

from __future__ import annotations

import random
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from core.classfile import tables
from core.classfile.class_file import ClassFile, ClassFormatError, parse
from core.classfile.instructions import POOL, instructions
from core.classfile.operands import pool_operands
from core.classfile.pool import (
    CLASS,
    DYNAMIC,
    LONG,
    METHOD_HANDLE,
    METHOD_REF,
    NAME_AND_TYPE,
    STRING,
    UTF8,
    Constant,
    write_pool,
)
from core.classfile.references import references
from core.rewrite.parts import PartKind, parts
from core.rewrite.rewriter import Rewriter, rewrite
from tests.support.damage import mutated
from tests.support.java import CompileJava
from tests.support.rewriting import (
    RUNNER,
    Everything,
    Without,
    anyhow,
    chosen,
    constructors,
    everything,
    is_compact,
    javap,
    judged,
    named,
    rewritten,
    without,
)

SOURCES = {
    "module-info.java": """
module m {
    requires java.sql; exports p; opens p;
    uses p.I; uses p.J; provides p.I with p.Both, p.Other; provides p.J with p.Both;
}
""",
    "p/I.java": "package p; public interface I { }",
    "p/J.java": "package p; public interface J { }",
    "p/Both.java": "package p; public class Both implements I, J { }",
    "p/Other.java": "package p; public class Other implements I { }",
    "p/A.java": """
package p;
import java.lang.annotation.*;
import java.util.*;
@Note("a")
public class A<T extends Bound & I, U> extends S<Arg> implements @Typed("i") I, @Typed("j") J, K<Arg, T> {
    static final long LONG = 1L << 40;
    final Object kept = this;
    @Note("f") List<Arg> list;
    A(long a, String b) { super(a, b); }
    int many(@Note("p") int a, String b, @Note("x") T c) throws E, @Typed("e") F, Exception {
        List<Gone> gone = null;
        Plain plain = null;
        String text = "" + a + b;
        Runnable run = () -> System.out.println(text);
        Runnable second = run::run;
        return text.hashCode() + (int) LONG;
    }
    class Inner { private int secret; }
    int nested() { return new Inner().secret; }
    static { System.out.println("loaded"); }
    @Note(value = "v", type = int.class) void empty() { }
}
class S<X> { S(long a, String b) { } }
interface K<X, Y> { }
class Arg { } class Bound { } class Gone { } class Plain { } class E extends Exception { } class F extends Exception { }
@Retention(RetentionPolicy.RUNTIME) @interface Note { String value(); Class<?> type() default Arg.class; }
@Target(ElementType.TYPE_USE) @Retention(RetentionPolicy.RUNTIME) @interface Typed { String value(); }
record R(@Note("c") int x, List<String> y) { }
sealed interface Sealed permits One, Two { }
final class One implements Sealed { } final class Two implements Sealed { }
class Host { void m() { new Object() { }; } }
""",
}
ALL = Everything()
SUPER = Everything({"p/S": "(JLjava/lang/String;)V"})
MANY = "p/A.many:(ILjava/lang/String;Lp/Bound;)I"


@pytest.fixture(scope="module")
def folder(compile_java: CompileJava) -> Path:
    return compile_java(SOURCES, "-g", "-parameters")


@pytest.fixture(scope="module")
def classes(folder: Path) -> dict[str, ClassFile]:
    return {file.stem: parse(file.read_bytes()) for file in folder.rglob("*.class")}


@pytest.fixture(scope="module")
def a(classes: dict[str, ClassFile]) -> ClassFile:
    return classes["A"]


def changed(cf: ClassFile, world: Everything) -> ClassFile:
    """The class with all of the paper's parts in *world*."""
    found = parts(cf, "member")
    return parse(rewrite(cf, found, everything(found), world))


def generic(cf: ClassFile) -> str | None:
    return tables.signature(cf, cf)


def attribute_names(cf: ClassFile) -> list[str]:
    return [name for name, _ in cf.attributes.rows()]


class WithoutMethods(Everything):
    """A world without p/Host's method."""

    def has_method(self, owner: str, name: str, descriptor: str) -> bool:
        return (owner, name, descriptor) != ("p/Host", "m", "()V")


class WithoutPackages(Everything):
    """A world without the package p."""

    def has_package(self, name: str) -> bool:
        return name != "p"


INIT = "p/A.<init>:(JLjava/lang/String;)V"
STUBS = (f"{MANY}!code", f"{INIT}!code", "p/A.<clinit>:()V!code")


@pytest.fixture(scope="module")
def shown(a: ClassFile, classes: dict[str, ClassFile], tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What javap says of some results, the indexes taken out."""
    module = classes["module-info"]
    variants = {
        "without I": rewritten(a, "p/A<p/I"),
        "stubs": rewritten(a, *STUBS, world=SUPER),
        "throws no E": rewritten(a, f"{MANY}[throws p/E]"),
        "throws no F": rewritten(a, f"{MANY}[throws p/F]"),
        "parameter": rewritten(a, f"{MANY}[@p/Note on parameter 0]"),
        "debug": rewritten(a, "p/A[lines]", "p/A[variables]"),
        "lines": rewritten(a, "p/A[lines]"),
        "variables": changed(a, Without("p/Gone", "p/Plain")),
        "without Bound": changed(a, Without("p/Bound")),
        "module": changed(module, Without("p/J", "p/Other")),
        "module without packages": changed(module, WithoutPackages()),
    }
    folder = tmp_path_factory.mktemp("shown")
    files = [folder / f"{number}.class" for number in range(len(variants))]
    for file, cf in zip(files, variants.values(), strict=True):
        file.write_bytes(cf.to_bytes())
    listing = re.sub(r" {2,}", " ", re.sub(r"#\d+(?:, +\d)?", "#", javap(files)))
    texts = re.split(r"^Classfile .*\n", listing, flags=re.MULTILINE)[1:]
    return dict(zip(variants, texts, strict=True))


def test_nothing_removed_gives_the_same_object(classes: dict[str, ClassFile]) -> None:
    for cf in classes.values():
        for granularity in ("class", "member", "full"):
            found = parts(cf, granularity)
            assert rewrite(cf, found, everything(found), ALL) is cf.source


def test_superclass(a: ClassFile) -> None:
    result = rewritten(a, "p/A<p/S", *[part.name for part in parts(a, "full") if part.kind is PartKind.CODE])
    assert result.superclass == "java/lang/Object"
    assert generic(result) == "<T:Lp/Bound;:Lp/I;U:Ljava/lang/Object;>Ljava/lang/Object;Lp/I;Lp/J;Lp/K<Lp/Arg;TT;>;"
    assert "p/S" not in references(result)


def test_interface(a: ClassFile, shown: dict[str, str]) -> None:
    result = rewritten(a, "p/A<p/I")
    assert result.interface_names == ("p/J", "p/K")
    assert generic(result) == "<T:Lp/Bound;:Lp/I;U:Ljava/lang/Object;>Lp/S<Lp/Arg;>;Lp/J;Lp/K<Lp/Arg;TT;>;"
    listing = shown["without I"]
    assert "CLASS_EXTENDS, type_index=0" in listing  # the annotation of J has moved with it
    assert "CLASS_EXTENDS, type_index=1" not in listing
    assert 'value="j"' in listing
    assert 'value="i"' not in listing


def test_field_and_final(a: ClassFile) -> None:
    result = rewritten(a, "p/A.LONG:J", "p/A.kept:Ljava/lang/Object;[final]")
    assert [(field.name_text, field.access) for field in result.fields] == [("kept", 0), ("list", 0)]
    result = rewritten(a, "p/A.LONG:J[final]")
    long = next(iter(result.fields))
    assert (long.access, long.attributes.raw("ConstantValue") is not None) == (0x0008, True)
    assert result.constants.raw(int.from_bytes(long.attributes.raw("ConstantValue") or b"", "big")) == (5, 1 << 40)


def test_method(a: ClassFile) -> None:
    result = rewritten(a, MANY)
    assert "many" not in [method.name_text for method in result.methods]
    assert [name for name in named(result) if "many:" in name] == []
    assert "p/Gone" not in references(result)


def test_code_and_its_stub(a: ClassFile, shown: dict[str, str]) -> None:
    result = rewritten(a, *STUBS, world=SUPER)
    bodies = {method.name_text: method.code for method in result.methods}
    assert bodies["many"].code == b"\x03\xac"
    assert (bodies["many"].max_stack, bodies["many"].max_locals) == (1, 4)
    assert bodies["<clinit>"].code == b"\xb1"
    assert (bodies["<clinit>"].max_stack, bodies["<clinit>"].max_locals) == (0, 0)
    assert bodies["<init>"].code[:4] == b"\x2a\x09\x01\xb7"
    assert (bodies["<init>"].max_stack, bodies["<init>"].max_locals) == (4, 4)
    assert '// Method p/S."<init>":(JLjava/lang/String;)V' in shown["stubs"]
    assert [name for name, _ in bodies["many"].attributes.rows()] == []
    assert tables.thrown(result, next(m for m in result.methods if m.name_text == "many")) == (
        "p/E", "p/F", "java/lang/Exception",
    )  # fmt: skip


def test_inner_class_entry(a: ClassFile) -> None:
    result = rewritten(a, "p/A[inner p/A$Inner]")
    assert [row.inner for row in tables.inner_classes(result)] == ["java/lang/invoke/MethodHandles$Lookup"]
    result = rewritten(a, *[name for name in named(a) if "[inner" in name])
    assert "InnerClasses" not in attribute_names(result)


def test_bootstrap_entries_are_numbered_anew(a: ClassFile) -> None:
    count = len(tables.bootstraps(a))
    assert count == 3
    dynamic = sorted(constant[1:] for constant in a.constants.tuples() if constant and constant[0] == 18)
    result = rewritten(a, "p/A[bootstrap 0]")
    assert len(tables.bootstraps(result)) == 2
    names = {number: a.constants.text(a.constants.raw(place)[1]) for number, place in dynamic}
    after = {
        result.constants.text(result.constants.raw(constant[2])[1]): constant[1]
        for constant in result.constants.tuples()
        if constant and constant[0] == 18
    }
    # What still uses the entry that is gone points behind the table, and the JVM will say so.
    assert after.pop(names[0]) in (0, 1, 2)
    result = rewritten(a, "p/A[bootstrap 0]", f"{MANY}!code")
    assert [constant for constant in result.constants.tuples() if constant and constant[0] == 18] == []
    assert len(tables.bootstraps(result)) == 2


def test_bootstrap_entry_in_use_is_refused_by_the_jvm(
    a: ClassFile, folder: Path, tmp_path: Path, compile_java: CompileJava
) -> None:
    (tmp_path / "p").mkdir()
    for file in (folder / "p").glob("*.class"):
        (tmp_path / "p" / file.name).write_bytes(file.read_bytes())
    (tmp_path / "p" / "A.class").write_bytes(rewritten(a, "p/A[bootstrap 1]").to_bytes())
    wrong, _, _ = judged(compile_java(RUNNER), "load", [tmp_path])
    assert len(wrong) == 1
    assert "ClassFormatError" in wrong[0]


def test_throws_entry(a: ClassFile, shown: dict[str, str]) -> None:
    result = rewritten(a, f"{MANY}[throws p/E]")
    many = next(method for method in result.methods if method.name_text == "many")
    assert tables.thrown(result, many) == ("p/F", "java/lang/Exception")
    assert "THROWS, type_index=0" in shown["throws no E"]
    assert "THROWS" not in shown["throws no F"]
    gone = changed(a, Without("p/E", "p/F", "java/lang/Exception"))
    many = next(method for method in gone.methods if method.name_text == "many")
    assert many.attributes.raw("Exceptions") is None


def test_annotations(a: ClassFile, shown: dict[str, str]) -> None:
    result = rewritten(a, f"{MANY}[@p/Note on parameter 0]")
    many = next(method for method in result.methods if method.name_text == "many")
    data = many.attributes.raw("RuntimeVisibleParameterAnnotations") or b""
    assert (data[0], data[1:3]) == (3, b"\0\0")  # all three parameters, the first without annotations
    assert 'value="x"' in shown["parameter"]
    result = changed(a, Without("p/Note"))
    assert "p/Note" not in references(result)
    assert "p/Typed" in references(result)
    assert "RuntimeVisibleAnnotations" not in attribute_names(result)


def test_an_annotation_value_that_is_gone(compile_java: CompileJava) -> None:
    source = "@N(V.class) class A { @N(void.class) int f; } class V { } @interface N { Class<?> value(); }"
    cf = parse((compile_java({"A.java": source}) / "A.class").read_bytes())
    result = changed(cf, Without("V"))
    assert "V" not in references_of_attributes(result)
    assert [name for name in named(result) if "@" in name] == ["A.f:I[@N]"]


def references_of_attributes(cf: ClassFile) -> set[str]:
    return {part.target for part in parts(cf, "full")}


def test_generic_signatures(a: ClassFile) -> None:
    result = rewritten(a, "p/A[sig]", "p/A.list:Ljava/util/List;[sig]")
    assert generic(result) is None
    assert tables.signature(result, list(result.fields)[2]) is None
    result = changed(a, Without("p/Arg"))
    # The class keeps its parameters, and what names something that is gone becomes raw.
    assert generic(result) == "<T:Lp/Bound;:Lp/I;U:Ljava/lang/Object;>Lp/S;Lp/I;Lp/J;Lp/K;"
    assert tables.signature(result, list(result.fields)[2]) is None
    result = rewritten(a, "p/A<p/I", world=Without("p/Bound", "p/I"), granularity="member")
    assert (generic(result) or "").startswith("<T:Ljava/lang/Object;U:Ljava/lang/Object;>Lp/S<Lp/Arg;>;Lp/J;")
    assert (generic(changed(a, Without("p/Bound"))) or "").startswith("<T::Lp/I;U:")


def test_debug_information(shown: dict[str, str]) -> None:
    listing = shown["debug"]
    for name in ("LineNumberTable", "LocalVariableTable", "LocalVariableTypeTable", "SourceFile"):
        assert name not in listing
    assert "MethodParameters" in listing
    for name in ("LineNumberTable", "SourceFile"):
        assert name not in shown["lines"]
    assert "LocalVariableTypeTable" in shown["lines"]


def test_variables_of_types_that_are_gone(shown: dict[str, str]) -> None:
    listing = shown["variables"]
    many = listing[listing.index("int many(") : listing.index("int nested(")]
    variables = many[many.index("LocalVariableTable") : many.index("LocalVariableTypeTable")]
    generics = many[many.index("LocalVariableTypeTable") :]
    assert "gone Ljava/util/List;" in variables
    assert "plain" not in variables
    assert "gone" not in generics
    assert "this Lp/A<TT;TU;>;" in generics
    # The row of c has the erased type Bound in one table and TT; in the other: both go, or the JVM complains.
    listing = shown["without Bound"]
    many = listing[listing.index("int many(") : listing.index("int nested(")]
    assert " c Lp/Bound;" not in many
    assert " c TT;" not in many


def test_enclosing_method(classes: dict[str, ClassFile]) -> None:
    cf = classes["Host$1"]
    assert tables.enclosing_method(rewritten(cf, "p/Host$1[enclosed]")) is None
    assert tables.enclosing_method(changed(cf, Without("p/Host"))) is None

    assert tables.enclosing_method(changed(cf, WithoutMethods())) == ("p/Host", None, None)


def test_nests(classes: dict[str, ClassFile]) -> None:
    assert tables.nest_host(rewritten(classes["A$Inner"], "p/A$Inner[nest]")) is None
    assert tables.nest_host(changed(classes["A$Inner"], Without("p/A"))) is None
    assert "NestMembers" in attribute_names(classes["A"])
    assert "NestMembers" not in attribute_names(changed(classes["A"], Without("p/A$Inner")))


def test_records(classes: dict[str, ClassFile]) -> None:
    cf = classes["R"]
    assert [row.name for row in tables.components(rewritten(cf, "p/R[component x]"))] == ["y"]
    assert [row.name for row in tables.components(rewritten(cf, "p/R.y:Ljava/util/List;"))] == ["x"]
    nothing = rewritten(cf, "p/R.x:I", "p/R.y:Ljava/util/List;", granularity="member")
    assert nothing.attributes.raw("Record") == b"\0\0"
    assert rewritten(cf, "p/R<java/lang/Record").attributes.raw("Record") is None
    bare = rewritten(cf, "p/R[component x][@p/Note]", "p/R[component y][sig]")
    assert [[name for _, name, _ in row.attributes] for row in tables.components(bare)] == [[], []]


def test_sealed(classes: dict[str, ClassFile]) -> None:
    cf = classes["Sealed"]
    assert tables.permitted_subclasses(changed(cf, Without("p/One"))) == ("p/Two",)
    assert "PermittedSubclasses" not in attribute_names(changed(cf, Without("p/One", "p/Two")))


def test_modules(shown: dict[str, str]) -> None:
    listing = shown["module"]
    uses = listing[listing.index("// uses") :]
    assert re.findall(r"(?:// |with )(p/\w+)", uses) == ["p/I", "p/I", "p/Both"]
    listing = shown["module without packages"]
    module = listing[listing.index("Module:") :]
    assert '// "java.sql"' in module
    assert re.search(r"0 // exports\n 0 // opens\n 2 // uses", module)


def test_class_granularity_prunes_what_is_gone(a: ClassFile) -> None:
    result = parse(rewrite(a, (), 0, Without("p/A$Inner", "p/Note")))
    assert "p/A$Inner" not in [row.inner for row in tables.inner_classes(result)]
    assert len(list(result.methods)) == len(list(a.methods))


def test_unknown_attributes_go_only_from_classes_that_change(a: ClassFile) -> None:
    cf = parse(a.to_bytes())
    unknown = cf.constants.raw_count  # a new Utf8 behind the others
    data = with_attribute(cf, "Strange", b"\0\1")
    cf = parse(data)
    found = parts(cf, "full")
    assert unknown == a.constants.raw_count
    assert rewrite(cf, found, everything(found), ALL) is cf.source
    assert "Strange" in attribute_names(cf)
    assert "Strange" not in attribute_names(rewritten(cf, MANY))
    empty = parse(with_attribute(parse(a.to_bytes()), "Strange", b""))
    assert "Strange" in attribute_names(rewritten(empty, MANY))


def with_attribute(cf: ClassFile, name: str, content: bytes) -> bytes:
    index = len(cf.constants._pool)
    cf.constants._pool.append((1, name))
    cf.attributes._table.append((index, content))
    return cf.to_bytes()


def test_one_byte_indexes_stay(compile_java: CompileJava) -> None:
    """``ldc`` of the 255th constant behind longs and doubles, with constants before it dropped and new ones added."""
    longs = "\n".join(f"static long l{n}() {{ return {1 << 40}L + {n}L; }}" for n in range(60))
    texts = "\n".join(f'static String s{n}() {{ return "text {n}"; }}' for n in range(100))
    source = f'class L extends ArithmeticException {{ {longs} {texts} L(int x) {{ super("x"); }} }}'
    cf = parse((compile_java({"L.java": source}) / "L.class").read_bytes())
    found = parts(cf, "member")
    kept = chosen(found, lambda part: not re.search(r"\.l\d*[13579]:|<init>.*!code", part.name))
    result = parse(rewrite(cf, found, kept, Everything({"java/lang/ArithmeticException": "(Ljava/lang/String;)V"})))
    for method in result.methods:
        if method.name_text.startswith("s"):
            code = method.code.code
            index = code[1] if code[0] == 0x12 else code[1] << 8 | code[2]
            assert result.constants.text(result.constants.raw(index)[1]) == f"text {method.name_text[1:]}"
    assert is_compact(result.to_bytes())


RETURNS = {
    "q/All.java": """
package q;
public class All extends Up {
    All(byte a, double b, int[] c, Object d) { super(1, 2, 3, 4, 5, true, 'c', (byte) 1, (short) 2, null, null); }
    All() { this((byte) 1, 2, null, null); }
    boolean z() { return true; } byte b() { return 1; } char c() { return 'c'; } short s() { return 1; }
    int i(long a, double b) { return 1; } static long j(long a) { return 1; } float f() { return 1; }
    double d() { return 1; } Object o() { return this; } int[] a() { return new int[1]; } void v() { throw null; }
    synchronized strictfp String text() { throw new Error(); }
    static { if (true) throw new Error("initialised"); }
}
abstract class Up {
    Up(int a, long b, float c, double d, int e, boolean f, char g, byte h, short i, Object j, String[] k) {
        throw new Error("made");
    }
}
interface Face { default int x() { throw new Error(); } static long y() { throw new Error(); } }
class Local { static Local make() { class Inside extends Local { } return new Inside(); } }
class Alone { private Alone(String s) { throw new Error(); } class In extends Alone { In() { super("x"); } } }
"""
}


def test_stubs_run(compile_java: CompileJava, tmp_path: Path) -> None:
    """Every body dropped: everything loads, verifies, and returns the default value of its type."""
    folder = compile_java(RETURNS, "-Xlint:-strictfp")
    classes = [parse(file.read_bytes()) for file in sorted(folder.rglob("*.class"))]
    world = Everything(constructors(classes))
    methods = 0
    for cf in classes:
        found = parts(cf, "full")
        kept = chosen(found, lambda part: part.kind is not PartKind.CODE)
        file = tmp_path / f"{cf.name}.class"
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(rewrite(cf, found, kept, world))
        methods += len(list(cf.methods))
    wrong, loaded, called = judged(compile_java(RUNNER), "run", [tmp_path])
    assert (wrong, loaded) == ([], len(classes))
    assert called >= methods - 4  # class initialisers and abstract classes' constructors are not called


ENUM = {
    "q/E.java": """
package q;
public enum E {
    A("a"), B("b") { void m() { } };
    E(String s) { if (s != null) System.out.print("code ran "); }
    void m() { }
    public static void main(String[] words) { for (E e : values()) System.out.print(e + " " + e.ordinal() + " "); }
}
"""
}


def test_the_stub_of_an_enums_constructor_hands_on_name_and_number(compile_java: CompileJava, tmp_path: Path) -> None:
    folder = compile_java(ENUM)
    classes = [parse(file.read_bytes()) for file in sorted(folder.rglob("*.class"))]
    world = Everything({"java/lang/Enum": "(Ljava/lang/String;I)V"} | constructors(classes))
    for cf in classes:
        found = parts(cf, "full")
        made = {index for index, method in enumerate(cf.methods) if method.name_text == "<init>"}
        kept = chosen(found, lambda part, made=made: part.kind is not PartKind.CODE or part.element not in made)
        file = tmp_path / f"{cf.name}.class"
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(rewrite(cf, found, kept, world))
    done = subprocess.run(["java", "-cp", tmp_path, "q.E"], capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert done.stdout == "A 0 B 1 "


def by_hand(version: int, constants: list[Constant], code: str, bootstraps: str = "") -> ClassFile:
    """``class Hand { static Object f() }`` with the pool below and then *constants*, from place 12 on."""
    pool: list[Constant | None] = [
        None, (UTF8, "Hand"), (CLASS, 1), (UTF8, "java/lang/Object"), (CLASS, 3), (UTF8, "f"),
        (UTF8, "()Ljava/lang/Object;"), (UTF8, "Code"), (UTF8, "left"), (LONG, 7), None, (STRING, 8), *constants,
    ]  # fmt: skip
    body = bytes.fromhex(code)
    method = bytes.fromhex("0008 0005 0006 0001 0007") + (len(body) + 12).to_bytes(4, "big")
    method += bytes.fromhex("0002 0002") + len(body).to_bytes(4, "big") + body + bytes(4)
    attributes = bytes.fromhex(bootstraps)
    data = b"\xca\xfe\xba\xbe\0\0" + version.to_bytes(2, "big") + write_pool(pool, len(pool))
    data += bytes.fromhex("0020 0002 0004 0000 0000 0001") + method + bytes((0, bool(attributes))) + attributes
    return parse(data)


def loaded_and_run(cf: ClassFile, runner: Path, folder: Path) -> None:
    """The class loads, verifies, and its method returns null."""
    (folder / "Hand.class").write_bytes(cf.to_bytes())
    assert judged(runner, "run", [folder]) == ([], 1, 1)


def test_subroutines(compile_java: CompileJava, tmp_path: Path) -> None:
    """``jsr`` and ``ret`` of class-file version 48."""
    # jsr 8; ldc "text"; pop; aconst_null; areturn; 8: astore_1; ret 1
    cf = by_hand(48, [(UTF8, "text"), (STRING, 12)], "a80008 120d 57 01 b0 4c a901")
    result = parse(Rewriter(cf, ()).compacted())
    assert "left" not in [constant[1] for constant in result.constants.tuples() if constant]
    code = next(iter(result.methods)).code.code
    assert result.constants.text(result.constants.raw(code[4])[1]) == "text"
    loaded_and_run(result, compile_java(RUNNER), tmp_path)


def test_dynamic_constants(compile_java: CompileJava, tmp_path: Path) -> None:
    """A constant that a bootstrap method computes; the other entry goes, so the table is numbered anew."""
    factory = "java/lang/invoke/ConstantBootstraps"
    types = "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/Class;)Ljava/lang/Object;"
    constants: list[Constant] = [
        (UTF8, factory), (CLASS, 12), (UTF8, "nullConstant"), (UTF8, types), (NAME_AND_TYPE, 14, 15),
        (METHOD_REF, 13, 16), (METHOD_HANDLE, 6, 17), (UTF8, "Ljava/lang/Object;"), (NAME_AND_TYPE, 5, 19),
        (DYNAMIC, 1, 20), (UTF8, "BootstrapMethods"),
    ]  # fmt: skip
    cf = by_hand(55, constants, "1215 b0", "0016 0000000c 0002 0012 0001 000b 0012 0000")
    found = parts(cf, "member")
    result = parse(rewrite(cf, found, without(found, "Hand[bootstrap 0]"), ALL))
    pool = result.constants.tuples()
    assert [constant[1] for constant in pool if constant and constant[0] == DYNAMIC] == [0]
    assert (UTF8, "left") not in pool
    loaded_and_run(result, compile_java(RUNNER), tmp_path)


def test_operands_are_those_of_the_instructions(zoo: Path) -> None:
    for file in sorted(zoo.rglob("*.class")):
        for method in parse(file.read_bytes()).methods:
            if method.code:
                code = method.code.code
                expected = [step.offset + 1 for step in instructions(code) if step.opcode in POOL]
                assert pool_operands(code) == expected


def wide_and_far() -> bytes:
    """Each instruction that is longer than it looks, a switch at each alignment, and constants in between."""
    parts = [b"\x12\x05"]
    for padding in range(4):
        parts.append(b"\x00" * padding)
        start = sum(map(len, parts))
        fill = b"\0" * (3 - start % 4)
        parts.append(b"\xaa" + fill + b"\0\0\0\0" + b"\0\0\0\0" + b"\0\0\0\1" + b"\0\0\0\0" * 2 + b"\x13\0\5")
        start = sum(map(len, parts))
        fill = b"\0" * (3 - start % 4)
        parts.append(b"\xab" + fill + b"\0\0\0\0" + b"\0\0\0\1" + b"\0\0\0\x12\0\0\0\0" + b"\xb2\0\5")
    parts.append(b"\xc4\x84\0\1\0\x12" + b"\xc4\x15\0\x12" + b"\xc4\xa9\0\x12" + b"\xc8\0\0\0\0")
    parts.append(b"\x10\x12\x11\x12\x12")
    parts.append(b"\xb9\0\5\1\0" + b"\xba\0\5\0\0" + b"\xc5\0\5\2" + b"\xbc\x0a" + b"\xa8\0\0" + b"\xc9\0\0\0\0\xb1")
    return b"".join(parts)


def test_operands_among_long_instructions() -> None:
    code = wide_and_far()
    assert pool_operands(code) == [step.offset + 1 for step in instructions(code) if step.opcode in POOL]
    for length in range(len(code)):
        try:
            list(instructions(code[:length]))
        except ClassFormatError:
            pass
        else:
            pool_operands(code[:length])


@pytest.mark.parametrize("code", [b"\x13\0", b"\xca", b"\xaa\0\0\0", b"\xc4\x12\0\1", b"\x10", b"\xc5\0\1"])
def test_operands_of_broken_code(code: bytes) -> None:
    with pytest.raises(ClassFormatError):
        pool_operands(code)


def damage(cf: ClassFile, name: str, change: Callable[[bytes], bytes]) -> ClassFile:
    """The class with the first attribute called *name*, wherever it stands, changed."""
    data = cf.to_bytes()
    for table in (cf, *cf.fields, *cf.methods):
        for found, content in table.attributes.rows():
            if found == name:
                new = change(content)
                old = len(content).to_bytes(4, "big") + content
                assert data.count(old) >= 1
                return parse(data.replace(old, len(new).to_bytes(4, "big") + new, 1))
    raise AssertionError(name)


@pytest.mark.parametrize(
    "name",
    [
        "BootstrapMethods", "InnerClasses", "Signature", "Code", "Exceptions", "RuntimeVisibleAnnotations",
        "RuntimeVisibleParameterAnnotations", "RuntimeVisibleTypeAnnotations", "MethodParameters", "SourceFile",
        "NestMembers", "ConstantValue",
    ],
)  # fmt: skip
def test_damaged_attributes_are_found_at_once(a: ClassFile, name: str) -> None:
    Rewriter(a, parts(a, "member"))
    for change in (
        lambda content: content[:-1],
        lambda content: content + b"\0",
        lambda content: b"\xff" * len(content),
    ):
        with pytest.raises(ClassFormatError):
            Rewriter(damage(a, name, change), ())


def test_damaged_classes_are_refused_or_written(zoo: Path) -> None:
    """Flipped bytes: :class:`ClassFormatError` when the rewriter is made, or something that can be read."""
    source = random.Random(3)
    whole = [file.read_bytes() for file in sorted(zoo.rglob("*.class"))]
    outcomes = {"refused": 0, "written": 0}
    for turn in range(1500):
        try:
            cf = parse(mutated(whole[turn % len(whole)], source))
            found = parts(cf, "full")
            rewriter = Rewriter(cf, found)
        except ClassFormatError:
            outcomes["refused"] += 1
            continue
        result = parse(rewriter.write(anyhow(found, source, (PartKind.BOOTSTRAP,)), Without("zoo/Kind", "zoo/Mark")))
        Rewriter(result, parts(result, "full"))
        outcomes["written"] += 1
    assert min(outcomes.values()) > 50, outcomes


def test_the_owner_of_an_inlined_constant_is_named_no_more_when_it_is_gone(compile_java: CompileJava) -> None:
    """javac names the class whose constant it inlined, in the pool and nowhere else."""
    folder = compile_java(
        {
            "p/Limits.java": "package p; public interface Limits { int MOST = 5; }",
            "p/User.java": "package p; public class User { int most() { return Limits.MOST; } }",
        }
    )
    cf = parse((folder / "p" / "User.class").read_bytes())
    found = parts(cf, "full")
    rewriter = Rewriter(cf, found)
    assert b"p/Limits" in rewriter.source
    assert rewriter.write(everything(found), Everything()) is rewriter.source
    written = rewriter.write(everything(found), Without("p/Limits"))
    assert b"p/Limits" not in written
    assert is_compact(written)
