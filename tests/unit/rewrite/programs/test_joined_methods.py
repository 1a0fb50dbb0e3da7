"""Methods that become one method, in programs that the virtual machine verifies and runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from core.rewrite.programs.class_tree import MemberTree, SymbolicClass
from core.rewrite.programs.kinds import KINDS
from core.rewrite.programs.program import WholeProgram
from tests.support.whole_programs import output_of, whole_program

JOINING = KINDS["joining"]
MAIN = "class Main {{ {} public static void main(String[] a) {{ {} }} }}"


@pytest.fixture
def program(compile_java):
    def of(members: str, body: str = "System.out.print(a.length);", options: Sequence[str] = ()) -> WholeProgram:
        return whole_program(compile_java({"Main.java": MAIN.format(members, body)}, *options))

    return of


def found(program: WholeProgram) -> dict[str, str]:
    """Return the methods that go, each with the method that gets the code."""
    return {"".join(old): "".join(new) for _, old, new in (edit.what for edit in JOINING.find(program))}


def joined(program: WholeProgram) -> MemberTree:
    made = JOINING.make(program, JOINING.find(program)).by_name["Main"]
    (method,) = [each for each in made.methods if each.name not in ("<init>", "main")]
    return method


def called(method: MemberTree, program: WholeProgram) -> WholeProgram:
    """Return a program in which a method stands in the place of an empty one of its name and descriptor."""

    def told(tree: SymbolicClass) -> SymbolicClass:
        methods = [method if each.key == method.key else each for each in tree.methods]
        assert method in methods
        return tree._replace(methods=tuple(methods))

    return replace(program, classes=tuple(map(told, program.classes)))


ONE = (
    "static int one(int x) { int y = 0; for (int i = 0; i < x; i++) y += i; "
    'try { y /= x; } catch (ArithmeticException e) { y = -1; } System.out.print(y + " "); return y; } '
)
OTHER = (
    "static long other(String s, long z) { while (z > 0) { z--; if (s == null) System.out.print(z); } "
    'Object o = z == 0 ? s : new Object(); System.out.print(" " + o); return z; } '
)


@pytest.mark.parametrize("release", [(), ("--release", "8"), ("-g",)])
def test_the_code_of_one_method_runs_before_that_of_the_other(release, program, tmp_path):
    before = program(ONE + OTHER, options=release)
    assert found(before) == {"other(Ljava/lang/String;J)J": "one(I)I"}
    method = joined(before)
    assert method.key == ("one", "(ILjava/lang/String;J)I")
    caller = program(
        "static int one(int x, String s, long z) { return 0; }",
        'System.out.print(one(4, null, 3L)); System.out.print(one(0, "s", 0L));',
    )
    assert output_of(called(method, caller), tmp_path) == "210 null1 1 s-1 -1"


def test_a_method_of_objects_gets_the_code_of_a_static_one(program, tmp_path):
    before = program(
        "int x; void a(int y) { x = y; System.out.print(x); } static void s(int z) { System.out.print(z); }"
    )
    assert found(before) == {"s(I)V": "a(I)V"}
    caller = program("int x; void a(int y, int z) { }", "new Main().a(3, 4);")
    assert output_of(called(joined(before), caller), tmp_path) == "43"


def test_several_methods_become_one_and_declare_what_all_throw(program, tmp_path):
    before = program(
        "void a() throws java.io.IOException { System.out.print(1); } "
        "void bb(java.util.List<String> l) throws InterruptedException { System.out.print(2); } "
        "void bb(int i) { System.out.print(3); }"
    )
    assert len(found(before)) == 2
    method = joined(before)
    assert method.key == ("a", "(Ljava/util/List;I)V")
    clause, signature = method.attribute("Exceptions"), method.attribute("Signature")
    assert {symbol.content[0] for symbol in clause.symbols} == {"java/io/IOException", "java/lang/InterruptedException"}
    assert [symbol.content[0] for symbol in signature.symbols] == ["(Ljava/util/List<Ljava/lang/String;>;I)V"]
    caller = program(
        "void a(java.util.List l, int i) throws Exception { }",
        "try { new Main().a(null, 0); } catch (Exception e) { }",
    )
    assert output_of(called(method, caller), tmp_path) == "231"


def test_each_edit_can_be_made_alone(program, tmp_path):
    before = program("void a() { } void bb(int i) { } static void ccc(long l, Object o) { o = l; }")
    for number, edit in enumerate(JOINING.find(before)):
        made = JOINING.make(before, [edit])
        assert len(made.by_name["Main"].methods) == len(before.by_name["Main"].methods) - 1
        assert output_of(made, tmp_path / str(number)) == "0"


@pytest.mark.parametrize(
    "members",
    [
        "void a() { b(); } void b() { a(); }",  # called
        "void a() { } static boolean b(int i) { if (i > 3) return true; return false; }",  # returns in two places
        "void a() { } static void b() { while (true) { } }",
        "void a() { } static void b(int i) { switch (i) { case 3: i = 4; case 7: i = 2; } }",
        "void a() { } synchronized void b() { }",
        "void a() { } static <T> void b(T t) { }",
        "void a() { } Runnable b = this::a; static void c() { Runnable r = Main::c; }",
        "void a() { } public String toString() { return null; }",
    ],
)
def test_methods_that_something_keeps_apart_stay(members, program):
    assert found(program(members)) == {}


def test_a_method_gets_no_parameters_with_which_another_one_is_there(program):
    before = program("void a() { } void bb(int i) { } static void a(int i) { a(i); }")
    assert JOINING.make(before, JOINING.find(before)).by_name["Main"] is before.by_name["Main"]
