"""What is left of a class without a part of it, kind by kind."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from core.classfile import tables
from core.classfile.class_file import ClassFile, parse
from core.classfile.outline import references
from core.classfile.symbolic.fact_kinds import FactKind
from core.classfile.symbolic.part_kinds import PartKind
from core.classfile.symbolic.pieces import Fact
from core.parts.parts import parts
from tests.support.java import CompileJava
from tests.support.rebuilt_class import rebuilt
from tests.support.rewriting import (
    RUNNER,
    Everything,
    Without,
    everything,
    javap,
    judged,
    named,
    rewrite,
    rewritten,
)

ALL = Everything()
SUPER = Everything({"p/S": "(JLjava/lang/String;)V"})


MANY = "p/A.many:(ILjava/lang/String;Lp/Bound;)I"


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

    def holds(self, fact: Fact) -> bool:
        return fact != (FactKind.METHOD, "p/Host", "m", "()V")


class WithoutPackages(Everything):
    """A world without the package p."""

    def holds(self, fact: Fact) -> bool:
        return fact != (FactKind.PACKAGE, "p")


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
        file.write_bytes(rebuilt(cf))
    listing = re.sub(r" {2,}", " ", re.sub(r"#\d+(?:, +\d)?", "#", javap(files)))
    texts = re.split(r"^Classfile .*\n", listing, flags=re.MULTILINE)[1:]
    return dict(zip(variants, texts, strict=True))


def test_nothing_removed_gives_the_same_object(classes: dict[str, ClassFile]) -> None:
    for cf in classes.values():
        for granularity in ("class", "member", "full"):
            found = parts(cf, granularity)
            assert rewrite(cf, found, everything(found), ALL) is cf.data


def test_superclass(a: ClassFile) -> None:
    result = rewritten(a, "p/A<p/S", *[part.name for part in parts(a, "full") if part.kind is PartKind.CODE])
    assert result.superclass == "java/lang/Object"
    assert generic(result) == "<T:Lp/Bound;:Lp/I;U:Ljava/lang/Object;>Ljava/lang/Object;Lp/I;Lp/J;Lp/K<Lp/Arg;TT;>;"
    assert "p/S" not in references(rebuilt(result))


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
    assert "p/Gone" not in references(rebuilt(result))


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
    many = next(m for m in result.methods if m.name_text == "many")
    assert tables.code_attributes(result, many.attributes.raw("Code")) == []
    assert tables.thrown(result, many) == (
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
    (tmp_path / "p" / "A.class").write_bytes(rebuilt(rewritten(a, "p/A[bootstrap 1]")))
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
    assert "p/Note" not in references(rebuilt(result))
    assert "p/Typed" in references(rebuilt(result))
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


def test_a_signature_keeps_its_parameters_where_it_does_not_list_the_interfaces_of_the_class(
    compile_java: CompileJava,
) -> None:
    """Scala's compiler leaves interfaces out."""
    source = "interface I<T> { } interface J { } interface K { } class A<T> implements J, I<T>, K { }"
    data = (compile_java({"A.java": source}) / "A.class").read_bytes()
    parameters, listed = "<T:Ljava/lang/Object;>Ljava/lang/Object;", "LJ;LI<TT;>;LK;"

    def listing(signature: str) -> ClassFile:
        old, new = f"{parameters}{listed}".encode(), f"{parameters}{signature}".encode()
        return parse(data.replace(len(old).to_bytes(2, "big") + old, len(new).to_bytes(2, "big") + new))

    for written, gone, world, left in (
        ("LI<TT;>;", "A<J", ALL, "LI<TT;>;"),
        ("LI<TT;>;", "A<I", ALL, ""),
        ("LI<TT;>;LL;", "A<J", ALL, "LI<TT;>;LL;"),
        ("LI<TT;>;LL;", "A<J", Without("L"), "LI<TT;>;"),
    ):
        assert generic(rewritten(listing(written), gone, world=world)) == f"{parameters}{left}"


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
    cf = parse(rebuilt(a))
    unknown = len(cf.constants.tuples())  # a new Utf8 behind the others
    data = with_attribute(cf, "Strange", b"\0\1")
    cf = parse(data)
    found = parts(cf, "full")
    assert unknown == len(a.constants.tuples())
    assert rewrite(cf, found, everything(found), ALL) is cf.data
    assert "Strange" in attribute_names(cf)
    assert "Strange" not in attribute_names(rewritten(cf, MANY))
    empty = parse(with_attribute(parse(rebuilt(a)), "Strange", b""))
    assert "Strange" in attribute_names(rewritten(empty, MANY))


def with_attribute(cf: ClassFile, name: str, content: bytes) -> bytes:
    index = len(cf.constants._pool)
    cf.constants._pool.append((1, name))
    cf.attributes._indexes.append(index)
    cf.attributes._rows.append((name, content))
    return rebuilt(cf)
