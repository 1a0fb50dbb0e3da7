"""Classes with generic signatures that become one class: what they lose, and what keeps them apart."""

from __future__ import annotations

import pytest

from core.edits.programs.kinds import KINDS
from tests.support.whole_programs import MAIN, edits, made

BASE = "class Base<T> { T x; Base(java.util.List<? extends T> y) { x = y.get(0); } Object f(T t) { return x; } }"


def test_a_class_loses_its_signature_beside_another_one(program, output):
    before = program(
        Base=BASE,
        One="class One extends Base<String> { One(java.util.List<String> y) { super(y); } }",
        Two="class Two extends Base<Integer> { Two(java.util.List<Integer> y, int z) { super(y); } }",
        Main=MAIN.format('new One(java.util.List.of("a")).x + new Two(java.util.List.of(2), 1).f(3)'),
    )
    part = [edit for edit in KINDS["merging"].find(before) if edit.what[0] == "Two"]
    assert [edit.what[1] for edit in part] == ["One"]
    after = KINDS["merging"].make(before, part)
    assert output(after) == "a2\n"
    signatures = {str(symbol.content[0]) for symbol in after.by_name["One"].symbols if "<" in str(symbol.content[0])}
    assert "LBase<Ljava/lang/String;>;" in signatures
    assert "LBase<Ljava/lang/Integer;>;" not in signatures
    assert "(Ljava/util/List<Ljava/lang/Integer;>;I)V" in signatures


def test_members_lose_the_type_parameters_of_a_class_that_goes(program, output):
    before = program(
        One="class One<A extends Runnable> { A x; }",
        Two="class Two<T extends Number> { T y; T g(T t) { T u = t; return u; } }",
        Main=MAIN.format('((Object) new Two().g(4)) + ""'),
    )
    part = [edit for edit in KINDS["merging"].find(before) if edit.what[0] == "Two"]
    after = KINDS["merging"].make(before, part)
    assert output(after) == "4\n"
    texts = {str(symbol.content[0]) for symbol in after.by_name["One"].symbols}
    assert "TA;" in texts
    assert not any("TT;" in each for each in texts)


@pytest.mark.parametrize(
    "more",
    [
        "class Two extends Base<Integer> { Two() { super(null); } Object f(Integer i) { return i; } }",  # overrides
        "class Two<T extends Number> { T y; } class User { Two<Integer> two; }",  # named with type arguments
    ],
)
def test_a_class_that_needs_its_signature_stays(program, more):
    before = program(Base=BASE, One="class One extends Base<String> { One() { super(null); } }", Two=more)
    assert "Two" not in edits(before)


def test_a_class_that_a_signature_names_as_a_member_of_a_generic_one_stays(program):
    before = program(
        One="class One<T> { }",
        Two="class Two<T> { class In<U> { } In<T> x; Three<T> y; }",
        Three="class Three<T> { }",
    )
    bare = before.mapped(
        lambda tree: tree.without(lambda each: each.name in ("InnerClasses", "NestHost", "NestMembers"))
    )
    found = edits(bare)
    assert {"Two", "Two$In"}.isdisjoint(found)
    assert "Three" in found


def test_a_class_with_the_same_type_parameters_keeps_its_generic_types(program, output):
    before = program(
        Main=MAIN.format("new Two<String>().f(new Two<>()).g()"),
        One="class One<T extends Comparable<T>> { T g() { return null; } }",
        Two="class Two<T extends Comparable<T>> { Two<T> f(One<T> a, Two<T> b) { return this; }"
        " <U extends One<T>> Two<T> f(Two<? super T> b) { return this; } T g() { return null; } }",
        Other="class Other<T> { One<String> other; }",
    )
    edit = next(edit for edit in KINDS["merging"].find(before) if edit.what[:2] == ("Two", "One"))
    after = KINDS["merging"].make(before, [edit])
    assert output(after) == "null\n"
    signatures = {
        str(next(each.attribute("Signature").symbols).content[0]) for each in after.by_name["One"].methods[1:]
    }
    assert signatures == {"()TT;", "(LOne<TT;>;LOne<TT;>;)LOne<TT;>;", "<U:LOne<TT;>;>(LOne<-TT;>;)LOne<TT;>;"}


def test_a_method_with_a_class_inside_keeps_its_type_parameters(program):
    before = program(
        Head="class Head { <T> Object m(T t) { class In { T in; } return null; } }",
        Part='class Part { Object m(Object t) { return "m"; } }',
    )
    after = made(before)
    method = next(each for tree in after.classes for each in tree.methods if each.name == "m" and tree.name == "Head")
    assert method.attribute("Signature")
