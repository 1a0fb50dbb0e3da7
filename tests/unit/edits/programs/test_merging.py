"""Which classes become one class, in programs that the virtual machine verifies and runs before and after."""

from __future__ import annotations

from dataclasses import replace

from core.edits.programs.kinds import KINDS
from core.edits.programs.merges.merge_rules import MergeRules
from core.edits.programs.program import WholeProgram
from core.edits.programs.replaced_types import tells_members_apart
from core.library.skim import skim
from tests.support.rows import rows
from tests.support.whole_programs import MAIN, edits, made


def test_classes_with_the_same_superclass_become_one(program, output):
    before = program(
        Main=MAIN.format("new One(3).f(new Two(4)) + new Two(1).g()"),
        One="class One { private final int x; One(int x) { this.x = x; } int f(Two two) { return x + two.g(); } }",
        Two="class Two { private final int x; Two(long y) { x = (int) y; } int g() { return x; } }",
    )
    assert edits(before) == {"Main": "One", "Two": "One"}
    only = edits(before)
    assert set(only.values()) == {"One"}
    assert set(made(before).by_name) == {"One"}
    parts = [edit for edit in KINDS["merging"].find(before) if edit.what[0] == "Two"]
    after = KINDS["merging"].make(before, parts)
    assert set(after.by_name) == {"Main", "One"}
    assert output(after) == "8\n"
    assert after.renaming.classes == {"Two": "One"}


def test_a_subclass_becomes_part_of_its_superclass(program, output):
    before = program(
        Main=MAIN.format("new Below().f()"),
        Above="abstract class Above { abstract int g(); int f() { return g(); } }",
        Below="class Below extends Above { int g() { return 7; } }",
    )
    parts = [edit for edit in KINDS["merging"].find(before) if "Main" not in edit.what]
    after = KINDS["merging"].make(before, parts)
    assert len(after.classes) == 2
    assert output(after) == "7\n"


def test_a_method_gets_a_new_name_beside_one_with_equal_parameters(program, output):
    before = program(
        Main=MAIN.format("new One().f(3) + new Two().f(4) + Two.call(5)"),
        One="class One { int f(int x) { return x * 10; } }",
        Two="class Two { private long f(long x) { return f((int) x); } int f(int x) { return x * 2; }"
        " static int call(int x) { java.util.function.IntUnaryOperator g = new Two()::f; return g.applyAsInt(x); } }",
    )
    part = [edit for edit in KINDS["merging"].find(before) if edit.what[0] == "Two"]
    after = KINDS["merging"].make(before, part)
    assert {method.name for method in after.by_name["One"].methods} == {"<init>", "f", "f2", "call"}
    assert after.renaming.methods == {"f2": "f"}
    assert output(after) == "48\n"


def test_a_new_name_overrides_nothing(program):
    before = program(
        One="class One extends Base { int f() { return hashCode(); } }",
        Two="class Two extends Base { int f() { return 2 * hashCode(); } }",
        Base="class Base extends p.Library { }",
        p_Library="package p; public class Library { public int f2() { return 3; } }",
    )
    library = replace(
        before,
        classes=tuple(tree for tree in before.classes if tree.name != "p/Library"),
        library=lambda name: skim(before.by_name[name].written()) if name in before.by_name else before.library(name),
    )
    edit = next(edit for edit in KINDS["merging"].find(library) if edit.what[0] == "Two")
    assert list(edit.what.renamed.values()) == ["f3"]


def test_the_second_choice_is_another_class_than_the_first(program, output):
    before = program(
        Main=MAIN.format("new A().f() + new Bb().g() + new Ccc().h()"),
        A="class A { int f() { return 1; } }",
        Bb="class Bb { int g() { return 2; } }",
        Ccc="class Ccc { int h() { return 3; } }",
    )
    assert edits(before) == {"Bb": "A", "Ccc": "A", "Main": "A"}
    assert edits(before, "regrouping") == {"Ccc": "Bb", "Main": "Bb"}
    assert output(KINDS["regrouping"].make(before, KINDS["regrouping"].find(before)[:1])) == "6\n"


def test_a_class_that_uses_a_missing_class_stays_apart(program):
    before = program(
        One="class One { int f() { return 1; } }",
        Two="class Two { void g() throws Missing { } }",
        Missing="class Missing extends Exception { }",
    )
    assert edits(before)["Two"] == "Missing"
    without = replace(before, classes=tuple(tree for tree in before.classes if tree.name != "Missing"))
    assert edits(without) == {}


def test_a_class_gets_the_superclass_of_the_class_that_takes_it_in(program, output):
    before = program(
        Main=MAIN.format("new One().f() + new Two(3).x + new Two(3).getMessage() + One.g(new One())"),
        One="class One { final int y; One() { y = 7; } int f() { return y; } static int g(Object o)"
        " { return o instanceof One ? 5 : 6; } }",
        Two="class Two extends Three { int x; Two(int a) { super(a); x = a; } }",
        Three='class Three extends Exception { Three() { } Three(int a) { super(a + "!"); } }',
    )
    parts = [edit for edit in KINDS["merging"].find(before) if "Main" not in edit.what]
    assert {edit.what[0] for edit in parts} == {"One"}
    after = KINDS["merging"].make(before, parts)
    assert output(after) == "103!5\n"
    assert len(after.classes) == 3


def test_a_class_that_joins_a_superclass_has_no_method_of_what_joined_a_class_below(program):
    main = MAIN.format('"" + new Low().x + new Base().x + new First().applyAsInt(1)')
    before = program(
        Main=main.replace("{ public", "{ int applyAsInt(int i) { return 0; } public", 1),
        Base="class Base { int x = 1; public Base() { } }",
        Low="class Low extends Base { int x = 2; }",
        First="class First implements java.util.function.IntUnaryOperator {"
        " public final int applyAsInt(int i) { return i + 2; } }",
    )
    assert edits(before) == {"Main": "Low"}, "with First as part of Base, Low would override a final method"


def test_a_class_goes_into_the_outer_class_of_others(program, output):
    before = program(
        Main=MAIN.format("new Outer(1).new Inner().f() + One.g()"),
        Outer="class Outer { private int x; Outer(int a) { x = a; } class Inner { int f() { return x; } } }",
        One="class One { static int g() { return new java.util.AbstractMap.SimpleEntry<>(2, 3).getKey(); } }",
    )
    parts = [edit for edit in KINDS["merging"].find(before) if edit.what[0] == "One"]
    assert [edit.what[1] for edit in parts] == ["Outer"]
    after = KINDS["merging"].make(before, parts)
    assert output(after) == "3\n"
    rows = [symbol.content[0] for symbol in after.by_name["Outer"].attribute("InnerClasses").symbols]
    assert {"Outer$Inner", "java/util/AbstractMap$SimpleEntry"} <= set(rows)


def test_an_abstract_class_goes_into_one_that_is_not(program, output):
    before = program(
        Main=MAIN.format("new One().f() + new Heir().h()"),
        One="class One { int f() { return 1; } }",
        Two="abstract class Two { abstract int f(); int h() { return f(); } }",
        Heir="class Heir extends Three { int f() { return 5; } }",
        Three="abstract class Three extends Two { }",
    )
    assert ("Two", "One") not in edits(before).items()  # a class below has that method
    sources = {
        "Main": MAIN.format("new One().f() + new Heir().h()"),
        "One": "class One { int f() { return 1; } }",
        "Two": "abstract class Two { int h() { return 5; } }",
        "Heir": "class Heir extends Two { }",
    }
    before = program(**sources)
    after = KINDS["merging"].make(before, [edit for edit in KINDS["merging"].find(before) if edit.what[0] == "Two"])
    assert set(after.by_name) == {"Main", "One", "Heir"}
    assert output(after) == "6\n"


def test_a_class_that_leaves_its_package_makes_the_program_public(program, output):
    before = program(
        Main=MAIN.format("p.One.f()"),
        p_One="package p; public class One { public static int f() { return q.Two.g() + h(); }"
        " static int h() { return 1; } }",
        q_Two="package q; public class Two { public static int g() { return k() + new Three().x; }"
        " static int k() { return 2; } }",
        q_Three="package q; class Three { int x = 5; }",
    )
    assert edits(before) == {"p/One": "Main", "q/Two": "Main", "q/Three": "Main"}
    assert output(made(before)) == "8\n"
    part = [edit for edit in KINDS["merging"].find(before) if edit.what[0] == "q/Two"]
    assert output(KINDS["merging"].make(before, part)) == "8\n"


@rows(
    "more",
    [
        "class Two { public int hashCode() { return super.hashCode(); } }",  # a method that overrides keeps its name
        "class Two { int f() { return 2 * new One().f(); } Class<?> g() throws Exception"
        ' { return getClass().getDeclaredMethod("f").getReturnType(); } }',  # its name may be looked up
        "class Two { int f() { return hashCode(); } } class Three extends Two { }",
        "class Two { String x; }",  # fields by name
        "interface Two { } class Three implements Two { }",
        "interface Two { boolean equals(Object o); }",  # a method of Object
        "interface Two { int g(); } class Three { Two two = () -> 1; }",
        "@interface Two { }",
        "interface Two { } class Three { <T extends Runnable & Two> void f(T t) { } }",  # a class is the first bound
        "interface Two { } class Three { boolean f(Thread t) { return t instanceof Two; } }",
        "enum Two { A }",
        "class Two extends Thread { public int hashCode() { return x; } int x; }",
        "class Two extends Three { } class Three extends One { int y = 4; }",  # a class would extend itself
        "class Two extends Three { } class Three { protected String x; }",  # a field would hide one
        "class Two extends Three { } class Three { int f() { return 4; } }",  # a method would override one
        "class Two extends Three { Two() { super(1); } } class Three { Three(int a) { } }",  # no constructor to call
        "abstract class Two { abstract int g(); } class Three extends Two { int g() { return f(); }"
        " int f() { return 1; } }",
        "abstract class Two implements Runnable { }",
        "class Two implements java.util.function.IntSupplier { public int getAsInt() { return 1; } void x() { } }"
        " class Three extends One { public void x() { System.out.println(); } }",
    ],
)
def test_classes_that_stay_apart(program, more):
    one = "class One { int x; int f() { return x + 1; } public int hashCode() { return 1 + super.hashCode(); } }"
    before = program(One=one, Two=more)
    assert ("Two", "One") not in edits(before).items()
    assert ("One", "Two") not in edits(before).items()


def test_an_abstract_method_never_comes_beside_a_class_whose_subclass_lacks_it(program):
    before = program(
        A="abstract class A { }",
        Bb="abstract class Bb { int g() { return 1; } }",
        Ccc="abstract class Ccc { abstract int f(); }",
        Below="class Below extends Bb { }",
        Own="class Own extends Ccc { int f() { return 2; } }",
    )
    found = edits(before)
    assert found["Bb"] == "A"
    assert found.get("Ccc") not in ("A", "Bb")


def test_a_class_stays_apart_from_an_abstract_one_whose_superclass_has_an_abstract_method(program):
    before = program(
        Node="abstract class Node { public Node() { } abstract Node copy(); }",
        Leaf="abstract class Leaf extends Node { public Leaf() { } }",
        Token="class Token extends Leaf { Token(int x) { } Node copy() { return this; } }",
        Inner="class Inner extends Node { Inner(int x) { } Node copy() { return null; } }",
        Plain="class Plain { int g() { return 1; } }",
    )
    assert edits(before).get("Plain") != "Leaf"


def test_a_static_method_in_the_way_of_one_of_object_keeps_a_class_apart(program):
    before = program(One="class One { }", Two='class Two { public String toString() { return ""; } }')
    assert edits(before) == {"Two": "One"}

    def scala(tree):
        return tree._replace(methods=tuple([m._replace(access=m.access | 8) for m in tree.methods if m.name[0] != "<"]))

    assert edits(before.mapped(scala)) == {}


def test_methods_that_would_get_equal_parameters_keep_classes_apart(program):
    before = program(
        One="class One { }",
        Two="class Two { int y() { return 3; } }",
        User="interface User { int f(One one); int f(Two two); }",
    )
    assert edits(before) == {"User": "One"}


def test_a_constructor_that_stands_for_two_is_as_open_as_the_more_open_one(program, output):
    before = program(
        Main=MAIN.format("One.make() == null ? 0 : new Two().x"),
        One="class One { private One() { } static One make() { return new One(); } }",
        Two="class Two { int x = 4; }",
    )
    after = KINDS["merging"].make(before, [edit for edit in KINDS["merging"].find(before) if edit.what[0] == "Two"])
    assert output(after) == "4\n"


def test_a_class_learns_from_others_nothing_about_the_class_around_itself(program):
    """Its own row is gone, and so is that of the class around it: the virtual machine compares these two."""
    before = program(
        Outer="class Outer { static class In { static class Deep { } } static class Beside { } }",
        User="class User { Object o() { new Outer.In.Deep(); new Outer.In(); return new Outer.Beside(); } }",
    )
    bare = {name: tree._replace(attributes=()) for name, tree in before.by_name.items() if name != "User"}
    before = replace(before, classes=(*bare.values(), before.by_name["User"]))
    part = [edit for edit in KINDS["merging"].find(before) if edit.what[0] == "User"]
    into = part[0].what.new
    assert into in ("Outer", "Outer$In", "Outer$Beside", "Outer$In$Deep")
    merged = KINDS["merging"].make(before, part).by_name[into]
    rows = merged.attribute("InnerClasses")
    named = {str(symbol.content[0]) for symbol in rows.symbols if symbol.tag == 7} if rows else set()
    assert into not in named


def called_a(program: WholeProgram) -> WholeProgram:
    """Return a program in which all fields are called ``a``, as an obfuscator does it."""
    return program.mapped(lambda tree: tree._replace(fields=tuple([each._replace(name="a") for each in tree.fields])))


def test_fields_of_one_name_and_several_types_all_stay(program):
    before = called_a(program(Head="class Head { int a; long b; }", Part="class Part { int a; long b; }"))
    assert [len(tree.fields) for tree in made(before).classes] == [2]
    apart = called_a(program(Head="class Head { int a; long b; }", Part="class Part { char a; }"))
    assert edits(apart) == {}


def test_fields_of_one_name_do_not_become_equal(program):
    before = called_a(
        program(
            One="class One { }",
            Two="class Two { }",
            Other="class Other { }",
            Above="class Above { One one; }",
            Below="class Below extends Above { Two two; }",
            Both="class Both { One one; Other other; }",
        )
    )
    assert tells_members_apart(before, {"One": "java/lang/Object"})
    assert not tells_members_apart(before, {"One": "java/lang/Object", "Two": "java/lang/Object"})
    assert not tells_members_apart(before, {"One": "Other"})


def test_a_method_may_override_one_of_each_superclass_as_before_in_whatever_order_these_are_asked_about(program):
    chain = {
        f"C{number}": f"class C{number} extends C{number + 1} {{ int f() {{ return 1; }} }}" for number in range(9)
    }
    rules = MergeRules(program(**chain, C9="class C9 { int f() { return 1; } }", Other="class Other { }"))
    assert rules.keeps_overriding({"Other": "C0"}, "C0")
