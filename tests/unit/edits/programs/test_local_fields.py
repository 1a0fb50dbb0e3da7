"""Fields that become local variables, in programs that the virtual machine verifies and runs."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.classfile.descriptors import method_types
from core.classfile.pool import CLASS, FIELD_REF, METHOD_HANDLE
from core.classfile.symbolic.symbol_pool import Symbol
from core.classfile.symbolic.symbolic_class import MemberTree
from core.edits.programs.kinds import KINDS
from core.edits.programs.program import WholeProgram
from tests.support.rows import rows
from tests.support.whole_programs import output_of, whole_program

FIELDS = KINDS["fields"]
MAIN = "class Main {{ {} public static void main(String[] a) {{ {} }} }}"


@pytest.fixture
def program(compile_java):
    def of(members: str, body: str = "", more: str = "") -> WholeProgram:
        return whole_program(compile_java({"Main.java": MAIN.format(members, body) + more}))

    return of


def found(program: WholeProgram) -> list[str]:
    return [edit.what.field[1] for edit in FIELDS.find(program)]


def test_what_fields_got_is_stored_in_variables_of_the_methods(program, tmp_path):
    before = program(
        "int i; static long j; float f; double d; byte b; String s; int[] e; final Object o; "
        "Main(int x) { if (x > 1) { i = tell(x); d = 2; } else { s = null; b = (byte) tell(7); } o = this; "
        "for (int k = 0; k < x; k++) { e = new int[tell(k)]; f = k; } j = x; } "
        "static int tell(int x) { System.out.print(x); return x; }",
        "new Main(3); new Main(1); Main m = new Main(2); m.i = tell(9); (tell(4) > 3 ? m : null).s = m.toString();",
    )
    assert output_of(before, tmp_path / "before") == "30127020194"
    assert sorted(found(before)) == list("bdefijos")
    after = FIELDS.make(before, FIELDS.find(before))
    assert after.by_name["Main"].fields == ()
    assert output_of(after, tmp_path / "after") == "30127020194"


def test_each_field_goes_alone(program, tmp_path):
    before = program("static long j; static String s;", 'j = 3; s = "x"; j = 4; System.out.print(a.length);')
    for edit in FIELDS.find(before):
        after = FIELDS.make(before, [edit])
        assert [member.name for member in after.by_name["Main"].fields] == [{"j": "s", "s": "j"}[edit.what.field[1]]]
        assert output_of(after, tmp_path / edit.what.field[1]) == "0"


def test_a_field_of_another_class_goes_too(program, tmp_path):
    more = " class Above { Object o; } class Below extends Above { }"
    before = program("", "new Below().o = a; System.out.print(a.length);", more)
    assert found(before) == ["o"]
    after = FIELDS.make(before, FIELDS.find(before))
    assert after.by_name["Above"].fields == ()
    assert output_of(after, tmp_path / "after") == "0"


READS = """
long field1$; static int[] field2$; String field3$; double field4$; java.util.List<String> field5$;
int read(Object o, int more) {
    for (int k = 0; k < more; k++) { if (k > field2$.length) field1$ += k; else field3$ = null; }
    int last = (int) field1$;
    for (String each : field5$) last += each.length() + field3$.length();
    try { last = field2$[0]; } catch (RuntimeException x) { field4$ = last; field1$ = 2; }
    return more + (int) field4$ + (int) field1$;
}
static void write(Main m) { m.field1$ = 3; field2$ = null; }
"""


def test_a_method_that_reads_a_field_takes_it_as_a_parameter(program, tmp_path):
    # a long name is worth more than the rows of frames that tell of a parameter
    members = READS.replace("$", "WithARatherLongNameThatPaysForTheFrames")
    before = program(members, "write(new Main()); System.out.print(a.length);")
    assert [each[:6] for each in found(before)] == ["field1", "field2", "field3", "field4", "field5"]
    after = FIELDS.make(before, FIELDS.find(before))
    tree = after.by_name["Main"]
    assert tree.fields == ()
    read = next(method for method in tree.methods if method.name == "read")
    assert sorted(method_types(read.descriptor)[0]) == sorted(
        ["Ljava/lang/Object;", "I", "J", "[I", "Ljava/lang/String;", "D", "Ljava/util/List;"]
    )
    signature = read.attribute("Signature")
    assert signature is not None
    assert "Ljava/util/List<Ljava/lang/String;>;" in str(next(signature.symbols).content[0])
    assert output_of(after, tmp_path) == "0"


def test_a_method_gets_what_it_takes_in_place_of_the_field(program, tmp_path):
    before = program("int i; static int twice(Main m) { m.i *= 2; return m.i; }", "System.out.print(a.length);")
    after = FIELDS.make(before, FIELDS.find(before))
    caller = program("static int twice(Main m, int i) { return 0; }", "System.out.print(twice(null, 21));")
    twice = next(each for each in after.by_name["Main"].methods if each.name == "twice")
    main = caller.by_name["Main"]
    methods = tuple([twice if each.name == "twice" else each for each in main.methods])
    assert output_of(replace(caller, classes=(main._replace(methods=methods),)), tmp_path) == "42"


def test_a_static_method_takes_no_type_variable_of_the_class(program):
    more = (
        " class Box<T> { T first; T secondOfAllTheFieldsHere; static Object get(Box<String> box) { return box.first; } "
        "Object more() { return secondOfAllTheFieldsHere; } }"
    )
    before = program("", "", more)
    after = FIELDS.make(before, FIELDS.find(before))
    box = after.by_name["Box"]
    signatures = {
        each.name: [str(one.content[0]) for one in each.attribute("Signature").symbols]
        for each in box.methods
        if each.attribute("Signature")
    }
    assert signatures == {
        "get": ["(LBox<Ljava/lang/String;>;Ljava/lang/Object;)Ljava/lang/Object;"],
        "more": ["(TT;)Ljava/lang/Object;"],
    }


@rows(
    "members",
    [
        "int i; int get() { i = 3; return i; } int twice() { return 2 * get(); }",  # called
        "int i; int get() { i = 3; return i; } int get(int other) { return other; }",
        "static int i = 3; static { System.out.print(i); }",
        "int i; Runnable get() { return () -> System.out.print(i); }",
        "static final int I = 3;",  # nothing writes it
        'int i; void set() { i = 3; } String name() { return "i"; }',
        "enum Colour { RED }",
        "record Point(int x) { }",
    ],
)
def test_fields_that_are_told_of_or_read_by_other_code_stay(members, program):
    assert found(program(members)) == []


def test_a_field_that_a_handle_writes_stays(program):
    before = program("static int i; static Object set() { i = 3; return Main.class; }")
    assert found(before) == ["i"]
    handle = Symbol(METHOD_HANDLE, (4, Symbol(FIELD_REF, ("Main", "i", "I"))))

    def with_handle(method: MemberTree) -> MemberTree:
        attributes = [each.mapped(lambda _, old: handle if old.tag == CLASS else old) for each in method.attributes]
        return method._replace(attributes=tuple(attributes))

    after = before.mapped(lambda tree: tree._replace(methods=tuple(map(with_handle, tree.methods))))
    assert found(after) == []
