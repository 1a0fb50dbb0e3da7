"""Constructors that become methods, in programs that the virtual machine verifies and runs."""

from __future__ import annotations

import pytest

from core.rewrite.programs.class_tree import MemberTree
from core.rewrite.programs.kinds import KINDS
from core.rewrite.programs.program import WholeProgram
from tests.support.whole_programs import output_of, whole_program

CONSTRUCTORS = KINDS["constructors"]
_STATIC = 0x0008


@pytest.fixture
def program(compile_java):
    def of(*sources: str) -> WholeProgram:
        main = "class Main { public static void main(String[] a) { System.out.print(a.length); } }"
        return whole_program(compile_java({"Main.java": " ".join((main, *sources))}))

    return of


def found(program: WholeProgram) -> list[str]:
    """The classes with a constructor that can become a method, and its parameters; without the class Main."""
    return [
        f"{name}{key[1][:-1]}" for name, key in (edit.what for edit in CONSTRUCTORS.find(program)) if name != "Main"
    ]


def after(program: WholeProgram, name: str) -> list[MemberTree]:
    made = CONSTRUCTORS.make(program, CONSTRUCTORS.find(program))
    return [method for method in made.by_name[name].methods if method.name.startswith("init")]


def test_constructors_that_do_nothing_with_their_object_are_static_methods(program, tmp_path):
    before = program(
        "class A { A(long x, String s) { super(); for (int i = 0; i < x; i++) System.out.print(s); } A(int x) { } }"
        "class B extends A { B(String s) { super(s == null ? 3 : s.length(), s); System.out.print(s); } }"
        "class C extends Exception { C(String s) { super(s); } }"
    )
    assert found(before) == ["C(Ljava/lang/String;)"]  # A has a class below, whose own constructor must call another
    (method,) = after(before, "C")
    assert method.access & _STATIC
    before = program(
        "class A { A(long x, String s) { for (int i = 0; i < x; i++) System.out.print(s); } A(int x) { } }"
    )
    # the other one saves nothing alone: the name init is new
    assert found(before) == ["A(JLjava/lang/String;)"]
    made = CONSTRUCTORS.make(before, CONSTRUCTORS.find(before))
    assert found(made) == ["A(I)"]
    methods = after(made, "A")
    assert {method.key for method in methods} == {("init", "(JLjava/lang/String;)V"), ("init2", "(I)V")}
    assert all(method.access & _STATIC for method in methods)
    assert output_of(CONSTRUCTORS.make(made, CONSTRUCTORS.find(made)), tmp_path) == "0"


def test_a_constructor_that_uses_its_object_is_a_method_of_objects(program, tmp_path):
    before = program(
        "class A { final int x; final A next; { System.out.print(1); } "
        "A(int x) { this.x = x; while (x > 0) x--; next = this; } void init() { } }"
        "class T<T> { T(T x) { T copy = x; System.out.print(copy); } }"
    )
    (method,) = [each for each in after(before, "A") if each.descriptor == "(I)V"]
    assert (method.name, method.access & _STATIC) == ("init2", 0)
    (method,) = after(before, "T")
    assert not method.access & _STATIC  # its signature names the type variable of the class
    made = CONSTRUCTORS.make(before, CONSTRUCTORS.find(before))
    assert not any(member.access & 0x10 for member in made.by_name["A"].fields)
    assert output_of(made, tmp_path) == "0"


def test_a_constructor_that_calls_another_one_of_its_class(program, tmp_path):
    before = program("class A { A(int x) { this(x, new Object()); } A(int x, Object o) { } }")
    assert found(before) == ["A(I)"]
    (method,) = after(before, "A")
    assert method.access & _STATIC
    assert output_of(CONSTRUCTORS.make(before, CONSTRUCTORS.find(before)), tmp_path) == "0"


@pytest.mark.parametrize(
    "source",
    [
        "class A { A(int x) { } static A make() { return new A(3); } }",
        "class A { A(int x) { } static java.util.function.IntFunction<A> make() { return A::new; } }",
        "class A { A(int x) { } } class B extends A { B() { super(3); } static B make() { return new B(); } }",
        "enum A { RED }",
        "class A { int x; class B { B() { x = 3; } } static void f(A a) { a.new B(); new A(); } }",
        "class A { A(int x) { new Object() { }; } static A make() { return new A(3); } }",
        "record A(int x) { }",
        # the compiler could make no constructor for B
        "class A { A() throws Exception { } static void f() throws Exception { new A(); } } "
        "class B extends A { B() throws Exception { } }",
        "abstract class A { private A() { } A(int x) { } } class B extends A { B() { super(3); } }",
    ],
)
def test_a_constructor_that_something_needs_stays(source, program):
    assert found(program(source)) == []


def test_a_constructor_whose_frames_tell_of_the_unmade_object_stays(program):
    assert found(program('class A extends Exception { A(int x) { super(x > 3 ? "a" : "b"); } }')) == []
