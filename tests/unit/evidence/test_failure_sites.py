"""The wanted failures by their sites."""

from __future__ import annotations

from core.archive.jar import read_jar
from core.evidence.clues import Mention
from core.evidence.failure import FailureReport
from core.evidence.failure_sites import FailureSites
from core.evidence.kinds_of_failures import costs, one_of_each
from core.model import class_model
from core.predicate.failure_kinds import FailureKinds
from core.predicate.failures import Wanted
from core.predicate.output import javac
from core.predicate.output.declarations import FailurePlace, SourceDeclaration
from core.search.sites import Shown

WHEEL, AXLE = "p/Wheel.java: cannot find symbol; symbol: class T", "p/Wheel.java: ';' expected"
OTHER = "java.lang.IllegalStateException: # at p.Motor.start < p.Motor.run"
NAMELESS = "something else"
FAILURES = (WHEEL, WHEEL, AXLE, OTHER, NAMELESS)


def sites(compile_java) -> FailureSites:
    sources = {f"p/{name}.java": f"package p; class {name} {{ }}" for name in ("Wheel", "Motor", "Gear")}
    return FailureSites(class_model.build(read_jar([compile_java(sources)])), FailureReport(FAILURES, "", False, ""))


def test_failures_of_one_source_file_or_class_are_of_one_site(compile_java):
    found = sites(compile_java)
    assert found.count == len(found.around()) == 3
    assert [found.site_of(name) for name in ("p/Wheel", "p/Wheel$Rim", "p/Motor", "p/Gear")] == [1, 1, 0, 3]


def test_a_site_loses_a_failure_that_shows_less_often_than_it_should(compile_java):
    found = sites(compile_java)
    assert found.shown(FAILURES) == Shown()
    assert found.shown((WHEEL, WHEEL, AXLE, NAMELESS)) == Shown(frozenset({0}))
    assert found.shown((WHEEL, AXLE, OTHER)) == Shown(frozenset({1, 2})), "one too few, and a failure without a class"
    assert found.shown(()) == Shown(frozenset({0, 1, 2}), hidden=True)


def test_other_failures_are_at_the_sites_of_their_classes(compile_java):
    found = sites(compile_java)
    assert found.shown((*FAILURES, WHEEL)) == Shown(others=frozenset({1}))
    assert found.shown((*FAILURES, "p/Gear.java: another")) == Shown(others=frozenset({3}))
    assert found.shown((*FAILURES, "another")) == Shown(others=frozenset({3}))


def test_failures_that_hide_the_wanted_ones_are_blamed_alone(compile_java):
    found = sites(compile_java)
    hiding = found.shown(("p/Motor.java: ';' expected",))
    assert hiding == Shown(frozenset({0, 1, 2}), frozenset({0}), hidden=True)
    assert hiding.blamed == {0}
    assert found.shown((WHEEL, AXLE, NAMELESS, WHEEL, "p/Motor.java: ';' expected")).blamed == {0}
    assert found.shown(()).blamed == set()


def test_one_failure_of_each_kind_is_wanted_in_few_and_small_places(compile_java):
    sources = {
        "p/Wide.java": f'package p; class Wide {{ String text = "{"x" * 2000}"; class Inner {{ }} }}',
        "p/Slim.java": "package p; class Slim { }",
        "p/Other.java": "package p; class Other { }",
    }
    jar = read_jar([compile_java(sources)])
    model, kinds = class_model.build(jar), FailureKinds.of(jar.contents)
    symbol, cast = "cannot find symbol; symbol: variable x{}", "incompatible types: Object cannot be converted to p.{}"
    places = enumerate(("Wide", "Slim", "Slim", "Other"))
    failures = [f"{name}.java: {symbol.format(number)}" for number, name in places]
    failures += [f"{name}.java: {cast.format(name)}" for name in ("Wide", "Slim")]
    report = one_of_each(model, FailureReport(failures, "", False, ""), Wanted(), kinds.of_name)
    assert report.failures == (failures[1], failures[5]), "both in the smallest class that has both"
    assert report.lost(failures[:1]) == [failures[5]], "any failure of the other kind is enough"
    assert report.shown(failures[:1])
    assert report.new(["Other.java: ';' expected", failures[0]]) == ["Other.java: ';' expected"]
    least = one_of_each(model, FailureReport(failures, "", False, ""), Wanted(chosen=(failures[0],)), kinds.of_name)
    assert least.failures == (failures[5],)
    assert least.new(failures) == [], "a kind that may go is not new"
    one, other = costs(model, Wanted().kept(failures, kinds.of_name))
    crash = ("x.Odd at d.D.f", "x.Odd at d.E.g")
    files = zip(crash, ("Wide", "Slim"), strict=True)
    named = [FailurePlace(name, f"p/{file}.java", SourceDeclaration((file,))) for name, file in files]
    (told,) = costs(model, {"x.Odd": crash}, named)
    assert told.cheapest == crash[1], "the comment of a decompiler tells the place"
    sizes = {item.name: item.bytes for item in model.items}
    assert {one.cheapest, other.cheapest} <= {failures[number] for number in (1, 2, 3, 5)}
    assert {one.bytes, other.bytes} <= {sizes["p/Slim"], sizes["p/Other"]}


def test_each_site_is_searched_around_what_its_own_failures_and_lines_name(compile_java):
    output = "p/Wheel.java:3: error: bad\n    Rim rim;\n    ^\n  symbol: class Axle\np/Gear.java:9: error: bad\n    ^\n"
    sources = {f"p/{name}.java": f"package p; class {name} {{ }}" for name in ("Wheel", "Gear", "Axle")}
    model = class_model.build(read_jar([compile_java(sources)]))
    report = FailureReport([*javac.names(output), "p/Nowhere.java: bad"], output)
    around = [suggest.keywords["mentions"] for suggest in FailureSites(model, report).around()]
    assert around == [(Mention("p/Gear"),), (Mention("p/Wheel"), Mention("p/Axle")), ()]
