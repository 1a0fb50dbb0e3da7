"""Methods without some parameters or without a result, in programs that the virtual machine verifies and runs."""

from __future__ import annotations

import itertools

import pytest

from core.edits.programs.kinds import KINDS
from core.edits.programs.program import WholeProgram
from tests.support.rows import rows
from tests.support.whole_programs import output_of, whole_program

MAIN = "public class Main {{ public static void main(String[] a) {{ {} }} {} }}"
TELLS = (
    "static int tell(int x) { System.out.print(x); return x; } "
    "static long tell(long x) { System.out.print(x); return x; }"
)


@pytest.fixture
def program(compile_java):
    def of(body: str, members: str, **sources: str) -> WholeProgram:
        texts = {"Main": MAIN.format(body, members), **sources}
        folder = compile_java({f"{name}.java": text for name, text in texts.items()})
        return whole_program(folder)

    return of


@pytest.fixture
def output(tmp_path):
    def of(program: WholeProgram) -> str:
        return output_of(program, tmp_path).strip()

    return of


def says(program: WholeProgram, kind: str) -> list[str]:
    return [edit.says for edit in KINDS[kind].find(program)]


def made(program: WholeProgram, kind: str, *names: str) -> WholeProgram:
    edits = [edit for edit in KINDS[kind].find(program) if not names or edit.says.startswith(names)]
    assert edits
    return KINDS[kind].make(program, edits)


def descriptors(program: WholeProgram, name: str) -> set[str]:
    return {method.descriptor for tree in program.classes for method in tree.methods if method.name == name}


def test_null_or_0_stands_where_a_result_was_used(program, output):
    before = program(
        'System.out.println(f() + g() + " " + h() + new Main().k()); f();',
        "static int f() { System.out.print(1); return 3; } static long g() { return 4L; }"
        'static String h() { return "x"; } double k() { return 1.5; }',
    )
    assert output(before) == "17 x1.5\n1"
    after = made(before, "results")
    assert output(after) == "10 null0.0\n1"
    assert descriptors(after, "f") | descriptors(after, "g") == {"()V"}


def test_all_methods_that_stand_for_each_other_lose_their_results(program, output):
    shape = "interface Shape { int area(); }"
    square = "class Square implements Shape { public int area() { return 4; } }"
    big = "class Big extends Square { public int area() { return 2 * super.area(); } }"
    before = program("Shape s = new Big(); System.out.println(s.area());", "", Shape=shape, Square=square, Big=big)
    assert output(before) == "8"
    after = made(before, "results")
    assert descriptors(after, "area") == {"()V"}
    assert output(after) == "0"


def test_null_or_0_stands_where_a_parameter_was_read(program, output):
    before = program(
        'System.out.println(f(2, 3L, "x"));', 'static String f(int a, long b, String c) { return a + ":" + b + c; }'
    )
    assert output(before) == "2:3x"
    after = made(before, "arguments")
    assert descriptors(after, "f") == {"()Ljava/lang/String;"}
    assert output(after) == "0:0null"


@pytest.mark.parametrize("types", ["int int int", "long int int", "int long", "long long", "int int", "long int"])
def test_arguments_that_calls_compute_are_computed_and_dropped(types, program, output):
    kinds = types.split()
    arguments = ", ".join(f"tell({number}{'L' * (kind == 'long')})" for number, kind in enumerate(kinds, 1))
    parameters = ", ".join(f"{kind} p{number}" for number, kind in enumerate(kinds, 1))
    told = ' + ":" + '.join(f"p{number}" for number in range(1, len(kinds) + 1))
    before = program(
        f"System.out.println(f({arguments}));", f'{TELLS} static String f({parameters}) {{ return {told} + ""; }}'
    )
    edits = [edit for edit in KINDS["arguments"].find(before) if edit.says.startswith("Main.f(")]
    assert len(edits) == len(kinds)
    numbers = range(1, len(kinds) + 1)
    for count in numbers:
        for gone in itertools.combinations(numbers, count):
            after = KINDS["arguments"].make(before, [edits[number - 1] for number in gone])
            values = ":".join("0" if number in gone else str(number) for number in numbers)
            assert output(after) == "".join(map(str, numbers)) + values


def test_parameters_of_constructors_go_by_class(program, output):
    base = "class Base { final int x; Base(int x) { this.x = x; } }"
    heir = "class Heir extends Base { Heir(int x, Object y) { super(x + 1); } }"
    before = program("System.out.println(new Heir(1, new Object()).x);", "", Base=base, Heir=heir)
    assert output(before) == "2"
    assert output(made(before, "arguments", "Heir")) == "1"
    assert output(made(before, "arguments", "Base")) == "0"


def test_parameters_of_an_overloaded_method_go_at_once_and_leave_others(program, output):
    before = program(
        'System.out.println(f(1, 2) + f("x") + f());',
        "static int f() { return 1; } static int f(int a, int b) { return a + b + 5; }"
        "static int f(String a) { return 7; }",
    )
    assert says(before, "arguments") == ["Main.f(int, int) has no parameters 2"]
    assert output(made(before, "arguments")) == "14"


def test_a_variable_number_of_arguments_goes_with_the_last_parameter(program, output):
    before = program("System.out.println(f(1, 2, 3));", "static int f(int a, int... b) { return b.length + a; }")
    edits = KINDS["arguments"].find(before)
    for some, access in ((edits[:1], 0x88), (edits[1:], 0x08), (edits, 0x08)):
        after = KINDS["arguments"].make(before, some)
        (method,) = [each for tree in after.classes for each in tree.methods if each.name == "f"]
        assert method.access == access
    assert output(KINDS["arguments"].make(before, edits[:1])) == "2"
    assert output(made(before, "results")) == "0"


def test_generic_signatures_follow(program, output):
    before = program(
        "System.out.println(f(new java.util.ArrayList<String>(), 1));",
        "static <T> java.util.List<T> f(java.util.List<T> all, int x) { return all; }",
    )
    (method,) = [m for tree in made(before, "arguments").classes for m in tree.methods if m.name == "f"]
    assert [symbol.content[0] for symbol in method.attribute("Signature").symbols] == [
        "<T:Ljava/lang/Object;>()Ljava/util/List<TT;>;"
    ]
    (method,) = [m for tree in made(before, "results").classes for m in tree.methods if m.name == "f"]
    assert [symbol.content[0] for symbol in method.attribute("Signature").symbols] == [
        "<T:Ljava/lang/Object;>(Ljava/util/List<TT;>;I)V"
    ]


@rows(
    "members",
    [
        "public boolean equals(Object o) { return o == null; } public String toString() { return null; }",
        "interface F { int f(int x); } static F f = x -> x;",
        "static int f(int x) { return x; } static java.util.function.IntUnaryOperator g = Main::f;",
        'static int f(int x) { return x; } static String name = "f";',
        "native int f(int x);",
        '@Names("f") static int f(int x) { return x; } @interface Names { String value(); }',
        "enum E { A; } record R(int x) { }",
        "@interface F { int f(); }",
    ],
)
@rows("kind", ["arguments", "results"])
def test_methods_that_more_than_calls_name_stay(kind, members, program):
    assert not [each for each in says(program("", members), kind) if not each.startswith(("Main.lambda", "Main$1"))]


def test_a_method_with_a_malformed_signature_stays(compile_java, tmp_path):
    members = "static int f(java.util.List<String> all, int x) { return x; } static int g(int x, int y) { return y; }"
    data = (compile_java({"Main.java": MAIN.format("", members)}) / "Main.class").read_bytes()
    (tmp_path / "Main.class").write_bytes(data.replace(b"String;>;I)I", b"String;;>I)I"))
    assert {each.partition("(")[0] for each in says(whole_program(tmp_path), "arguments")} == {"Main.g"}


def test_a_parameter_that_is_written_stays(program):
    assert says(program("f(1, 2);", "static int f(int a, int b) { a++; return a + b; }"), "arguments") == [
        "Main.f(int, int) has no parameter 2"
    ]


def test_an_edit_names_the_classes_in_the_order_of_the_program(program):
    names = ["One", "Two", "Six", "Ten", "Nil"]
    sources = {name: f"class {name} implements Any {{ public int f(int a) {{ return a; }} }}" for name in names}
    before = program("", "", Any="interface Any { int f(int a); }", **sources)
    (edit,) = [each for each in KINDS["results"].find(before) if ".f(" in each.says]
    owners = [tree.name for tree in before.classes if tree.name != "Main"]
    assert [each.partition(".")[0] for each in edit.touches if "!" not in each] == owners
