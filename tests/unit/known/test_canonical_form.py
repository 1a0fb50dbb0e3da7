"""Canonical forms: equal for jars that differ in names and order, near for jars that differ in little else."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import pytest

from core.archive.jar import write_jar
from core.errors import InputError
from core.known import canonical_form
from core.known.bug_groups import ReducedFailure, bug_table, bugs_of, bugs_title
from core.known.canonical_form import CanonicalForm, form_of
from core.known.known_bugs import KnownBug, KnownBugs
from tests.support.files import jar_of

ONE = {
    "shop/Basket.java": """package shop;
import java.util.function.*;
class Basket { int total; String label() { return "basket of " + total; }
  int priced(int amount) { Supplier<Item> making = Item::new; return making.get().price * amount + total; } }
""",
    "shop/Item.java": "package shop; class Item { int price = 3; static Item cheap; void sold() { price--; } }",
}
OTHER = {
    "zoo/Animal.java": "package zoo; class Animal { void fed() { hunger--; } static Animal tame; int hunger = 3; }",
    "zoo/Cage.java": """package zoo;
import java.util.function.*;
class Cage {
  int hungry(int times) { Supplier<Animal> catching = Animal::new;

     return catching.get().hunger * times + guests; }
  String sign() { return "cage with " + guests; }  int guests; }
""",
}
NEAR = {**ONE, "shop/Item.java": ONE["shop/Item.java"].replace("price--", "price -= 2")}
FAR = {
    "other/Thing.java": "package other; class Thing { long[] made(long a) { return new long[] {a, a * a, a % 7}; } }"
}


@pytest.fixture
def jars(compile_java, tmp_path):
    def make(name: str, sources: dict[str, str], *options: str):
        return jar_of(compile_java(sources, *options), tmp_path / f"{name}.jar")

    return make


def test_names_order_and_lines_do_not_matter(jars):
    one, other = form_of(jars("one", ONE, "-g")), form_of(jars("other", OTHER, "-g"))
    assert one == other
    assert form_of(jars("older", ONE, "-g", "--release", "11")).hash == one.hash


def test_names_of_modules_and_of_packages_without_classes_do_not_matter(jars):
    described = {
        name: {**sources, "module-info.java": f"module {name}.all {{ exports {name}; opens {name}.pictures; }}"}
        for name, sources in (("shop", ONE), ("zoo", OTHER))
    }
    one, other = (form_of(jars(name, each, "-g", "-Xlint:-opens")) for name, each in described.items())
    assert one == other


def test_the_form_of_another_version_is_another_one(jars, monkeypatch):
    jar = jars("one", ONE)
    now = form_of(jar)
    monkeypatch.setattr(canonical_form, "VERSION", canonical_form.VERSION - 1)
    assert form_of(jar).hash != now.hash


def test_an_instruction_matters(jars):
    one, near, far = (form_of(jars(str(number), each)) for number, each in enumerate((ONE, NEAR, FAR)))
    assert len({one.hash, near.hash, far.hash}) == 3
    assert 0.6 < one.nearness(near) < 1
    assert one.nearness(far) < 0.3


def test_bugs_near_ones_together_and_known_ones_named(jars):
    forms = {name: form_of(jars(name, each)) for name, each in (("a", ONE), ("b", OTHER), ("c", NEAR), ("d", FAR))}
    failures = [
        ReducedFailure(f"failure {name}", "", f"{name}.jar", 100 - number, form, "cfr", "in.jar")
        for number, (name, form) in enumerate(forms.items())
    ]
    known = KnownBugs().add(KnownBug(forms["d"].hash, "#412", "cfr", ("0.152",)))
    bugs = bugs_of(failures, known)
    assert [[each.failure for each in bug.failures] for bug in bugs] == [
        ["failure b", "failure a"], ["failure c"], ["failure d"],
    ]  # fmt: skip
    assert [bug.family for bug in bugs] == [1, 1, 2]
    assert bugs_title(bugs) == "4 failures, 3 bugs in 2 families of near ones"
    assert bug_table(bugs)[1:] == [
        ("1, near 2", "2", "99", "b.jar", "in.jar", ""),
        ("2, near 1", "1", "98", "c.jar", "in.jar", ""),
        ("3", "1", "97", "d.jar", "in.jar", "#412 (cfr 0.152)"),
    ]


@pytest.mark.parametrize(("text", "kinds", "bugs"), [("bag", "aa", 1), ("bag", "ab", 2), ("basket of", "ab", 1)])
def test_another_string_is_another_bug_where_the_kind_is_another_too(jars, text, kinds, bugs):
    texts = {**ONE, "shop/Basket.java": ONE["shop/Basket.java"].replace("basket of", text)}
    forms = [form_of(jars(str(number), each)) for number, each in enumerate((ONE, texts))]
    assert forms[0].hash == forms[1].hash
    both = [ReducedFailure(f"{kind}{number}", kind, "", 9, forms[number]) for number, kind in enumerate(kinds)]
    found = bugs_of(both, known=None)
    assert (len(found), {bug.family for bug in found}) == (bugs, {1})


def test_families_depend_on_no_order_and_a_kind_of_failure_makes_near():
    """a and c are near by b alone; d and e have a kind of failure in common."""
    traits = {"a": "ABCDEFGHIJ", "b": "CDEFGHIJKL", "c": "EFGHIJKLMN", "d": "QRSTU", "e": "VWXYZ", "f": "QRXYZ"}
    failures = [
        ReducedFailure(name, "some kind" if name in "de" else "", name, 100 + number, form, "cfr")
        for number, (name, own) in enumerate(traits.items())
        for form in [CanonicalForm(name * 64, frozenset(own))]
    ]
    families = {
        tuple([("".join(each.failure for each in bug.failures), bug.family) for bug in bugs_of(order, known=None)])
        for order in permutations(failures)
    }
    assert families == {(("a", 1), ("b", 1), ("c", 1), ("d", 2), ("e", 2), ("f", 3))}
    other = [replace(each, tool="procyon") if each.failure == "b" else each for each in failures]
    assert len({bug.family for bug in bugs_of(other, known=None)}) == 5, "bugs of two tools are never near"


@pytest.mark.parametrize(
    ("one", "other", "families"),
    [
        ("Object cannot be converted to #", "Object cannot be converted to String", 1),
        ("byte cannot be converted to Comparable<Boolean>", "int cannot be converted to Comparable<Boolean>", 1),
        ("int cannot be converted to boolean", "Object cannot be converted to boolean", 2),
        ("List<String> cannot be converted to #", "Set<Long> cannot be converted to #", 2),
        ("cannot find symbol; symbol: method", "cannot find symbol; symbol: variable", 2),
    ],
)
def test_kinds_that_differ_in_one_class_or_in_one_primitive_type_are_near(one, other, families):
    forms = [CanonicalForm("a", frozenset("a")), CanonicalForm("b", frozenset("b"))]
    both = [ReducedFailure(kind, kind, kind, 9, form) for kind, form in zip((one, other), forms, strict=True)]
    assert len({bug.family for bug in bugs_of(both, known=None)}) == families


def test_a_jar_without_classes_has_no_form(tmp_path):
    write_jar(tmp_path / "a.jar", [("a.txt", b"text")])
    with pytest.raises(InputError, match="no class"):
        form_of(tmp_path / "a.jar")


def test_a_damaged_class_is_named(tmp_path):
    write_jar(tmp_path / "a.jar", [("a/B.class", b"\xca\xfe\xba\xbe\0\0")])
    with pytest.raises(InputError, match=r"a/B\.class cannot be read"):
        form_of(tmp_path / "a.jar")
