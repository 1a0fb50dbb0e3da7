"""Supertypes in the place of classes that are only types, and interfaces that nobody implements."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.classfile.instructions import instructions
from core.classfile.symbolic.pieces import Piece
from core.classfile.symbolic.symbolic_class import AttributeTree, SymbolicClass
from core.edits.programs.kinds import KINDS
from tests.support.whole_programs import MAIN, edits, made


def test_a_class_that_is_only_a_type_is_replaced_by_its_superclass(program, output):
    before = program(
        Main=MAIN.format("new Below() instanceof Above ? new Above().x() : 0"),
        Above="class Above { int x() { return 1; } }",
        Below="class Below extends Above { }",
    )
    assert edits(before, "supertypes") == {"Below": "Above"}
    assert output(made(before, "supertypes")) == "1\n"


def test_each_link_of_a_chain_can_be_made_alone(program, output):
    before = program(
        Main=MAIN.format("Use.f(null, null)"),
        Use="class Use { static Object f(Above a, Below b) { return a == null ? b : a; } }",
        Mark="interface Mark { }",
        Above="class Above implements Mark { }",
        Below="class Below extends Above { }",
        Heir="class Heir extends Below { Mark itself() { return this; } }",
    )
    found = KINDS["supertypes"].find(before)
    assert {edit.what for edit in found} >= {("Below", "Above"), ("Mark", "java/lang/Object")}
    for some in [found, *[[edit] for edit in found]]:
        assert output(KINDS["supertypes"].make(before, some)) == "null\n"
    assert KINDS["supertypes"].make(before, found).by_name["Heir"].superclass in ("java/lang/Object", "Above")


def test_an_interface_that_nobody_implements_becomes_part_of_a_class(program, output):
    """Calls of its methods, its own code, the bounds of type variables: all stand for a class then."""
    call = "try { Two.of().f(1L, 2); return 1; } catch (NullPointerException e) { return 3 * Two.X; }"
    before = program(
        Main=MAIN.format("new One<Two>().g(null) + Two.three()"),
        One=f"class One<T extends Two> {{ int g(T t) {{ {call} }} Object h(Object o) {{ return (Two) o; }} }}",
        Two="interface Two { int X = 2; int f(long a, int b); default int g() { return f(1, 1); }"
        " static int three() { return 3; } static Two of() { return null; } }",
    )
    assert edits(before) == {"Main": "One", "Two": "One"}
    parts = [edit for edit in KINDS["merging"].find(before) if edit.what[0] == "Two"]
    after = KINDS["merging"].make(before, parts)
    assert set(after.by_name) == {"Main", "One"}
    assert output(after) == output(before) == "9\n"
    codes = [each.content.data for method in after.by_name["One"].methods for each in method.attributes if each.inside]
    assert codes
    for code in codes:  # a call of a class is two bytes shorter
        assert all(each.opcode for each in instructions(code[8 : 8 + int.from_bytes(code[4:8], "big")]))
    signature = next(after.by_name["One"].attribute("Signature").symbols)
    assert signature.content[0] == "<T:LOne;>Ljava/lang/Object;"


def test_an_abstract_class_without_subclasses_becomes_part_of_another_one(program, output):
    before = program(
        Main=MAIN.format("new One().g(null)"),
        One="class One { int g(Two t) { try { return t.f(1); } catch (NullPointerException e) { return 7; } } }",
        Two="abstract class Two { abstract int f(int a); }",
    )
    parts = [edit for edit in KINDS["merging"].find(before) if edit.what[:2] == ("Two", "One")]
    after = KINDS["merging"].make(before, parts)
    assert set(after.by_name) == {"Main", "One"}
    assert output(after) == "7\n"


def test_an_interface_that_the_verifier_takes_for_object_stays(program):
    """Without a cast anything can be given where an interface is wanted, but not where a class is."""
    before = program(
        One="class One { static void f(Two two) { } static void g(Object o) { f((Two) o); } }",
        Two="interface Two { }",
    )
    assert edits(before) == {"Two": "One"}
    assert edits(before.mapped(_without_casts)) == {}


def _without_casts(tree: SymbolicClass) -> SymbolicClass:
    def told(attribute: AttributeTree) -> AttributeTree:
        content = attribute.content
        at = content.data.find(b"\xc0")
        if attribute.name != "Code" or at < 0:
            return attribute
        kept = [(place, key) for place, key in zip(content.offsets, content.keys, strict=True) if place != at + 1]
        data = content.data[:at] + bytes(3) + content.data[at + 3 :]
        return attribute._replace(content=Piece(data, [place for place, _ in kept], [key for _, key in kept]))

    methods = [each._replace(attributes=tuple(map(told, each.attributes))) for each in tree.methods]
    return tree._replace(methods=tuple(methods))


def test_an_interface_without_methods_is_replaced_by_object(program, output):
    sources = {
        "Main": "public class Main { static int f(Mark mark) { return mark == null ? 1 : 2; }"
        " public static void main(String[] a) { System.out.println(f(new One())); } }",
        "Mark": "interface Mark { }",
        "One": "class One implements Mark { int x() { return 1; } }",
    }
    after = made(program(**sources), "supertypes")
    assert "Mark" not in after.by_name
    assert output(after) == "2\n"


def test_a_superclass_that_implements_an_interface_of_its_subclass_stays(program):
    before = program(
        Above="class Above { public int getAsInt() { return 3; } }",
        Below="class Below extends Above implements java.util.function.IntSupplier { Below x; }",
        User="class User { Object f(Below one) { return one; } Above y; }",
    )
    assert "Above" not in edits(before, "supertypes")


@pytest.mark.parametrize(
    "use",
    [
        "static Object f(Mark mark) { return mark.x(); }",  # its method is called
        "static Object f(Mark mark) { Mark other = () -> 1; return other; }",  # a lambda needs it
        "static boolean equals(Mark mark) { return true; }",  # would override equals(Object)
        "static Object f(Mark mark) { return null; } static Object f(Object any) { return null; }",
    ],
)
def test_a_type_that_is_needed_stays(program, use):
    before = program(User=f"class User {{ {use} }}", Mark="interface Mark { int x(); }")
    assert edits(before, "supertypes") == {}


def test_a_class_that_a_service_file_names_keeps_its_name(program):
    before = program(One="class One { }", Two="class Two { int x; }", Three="class Three extends Two { Two y; }")
    assert edits(before) == {"Two": "One"}
    fixed = replace(before, fixed=frozenset(("Two", "Three")))
    assert edits(fixed) == {"One": "Two"}
    assert edits(replace(before, fixed=frozenset(("One", "Two", "Three")))) == {}
    assert edits(fixed, "supertypes") == {}
