"""Members that failures name, and their places in sources: what comes with each of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from core.archive.jar import read_jar
from core.evidence.clues import Mention
from core.evidence.failure import FailureReport, heads, mentions
from core.evidence.item_finder import ByItems
from core.evidence.mentions import ClassNames
from core.library.library import open_library
from core.model.building import build
from core.model.item_model import ItemModel
from core.predicate.output.declarations import FailurePlace, SourceDeclaration

SHOWN = {
    "app/Shown.java": """package app;
import java.util.function.*;
public class Shown {
    static int total = Integer.parseInt("1");
    int limit = Integer.parseInt("2");
    Supplier<String> broken(int count) {
        Supplier<String> other = new Supplier<String>() {
            public String get() { return helper() + count; }
        };
        Function<String, String> upper = text -> text.toUpperCase();
        return () -> upper.apply(other.get());
    }
    String helper() { return "helper" + total + limit; }
    class Deep extends Base {
        class Deeper { int here() { return Shown.this.limit; } }
        void run(String text) { System.out.println(text); }
    }
    static abstract class Base { abstract void run(String text); void more() { System.out.println(); } }
}
""",
}


@pytest.fixture(scope="module")
def shown(compile_java: Callable[..., Path]) -> ItemModel:
    jar = read_jar([compile_java(SHOWN, "-g")])
    return build(jar, open_library([]), "full", "jvm")


def kept(detailed: ItemModel, chosen: int) -> set[str]:
    return {item.name for number, item in enumerate(detailed.items) if chosen >> number & 1}


def around(model: ItemModel, *mentions: Mention) -> set[str]:
    finder = ByItems(model)
    return kept(model, model.least([number for mention in mentions for number in finder.member(mention)]))


def test_a_method_comes_with_its_lambdas_and_the_classes_declared_in_it(shown: ItemModel) -> None:
    found = around(shown, Mention("app/Shown", "broken"))
    code = {name for name in found if name.endswith("!code")}
    assert {name.partition(":")[0] for name in code} >= {
        "app/Shown.broken",
        "app/Shown.lambda$broken$0",
        "app/Shown.lambda$broken$1",
        "app/Shown$1.get",
    }
    assert not {"app/Shown.helper:()Ljava/lang/String;!code", "app/Shown$Deep"} & found


def test_a_field_comes_with_what_sets_it(shown: ItemModel) -> None:
    static, own = (around(shown, Mention("app/Shown", name)) for name in ("total", "limit"))
    assert {"app/Shown.total:I", "app/Shown.<clinit>:()V!code"} <= static
    assert {"app/Shown.limit:I", "app/Shown.<init>:()V!code"} <= own
    assert "app/Shown.<init>:()V!code" not in static


def test_a_member_of_a_nested_class_comes_with_the_classes_around_it_bare(shown: ItemModel) -> None:
    found = around(shown, Mention("app/Shown$Deep$Deeper", "here"))
    assert {"app/Shown", "app/Shown$Deep", "app/Shown$Deep$Deeper.here:()I!code"} <= found
    assert "app/Shown[inner app/Shown$Deep]" in found
    assert "app/Shown$Deep.run:(Ljava/lang/String;)V" not in found
    assert around(shown, Mention("app/Shown", "gone")) == kept(shown, shown.least(()))


def test_places_in_sources_name_members_and_what_is_none_of_the_inputs_names_what_is_around(shown: ItemModel) -> None:
    names = ClassNames(shown.model)
    output = "sources/app/Shown.java:9: error: illegal start of expression\n  x\n  ^\n"
    (failure,) = ["Shown.java: illegal start of expression; at a name"]

    def told(*types: str, member: str) -> tuple[Mention, ...]:
        place = FailurePlace(failure, "sources/app/Shown.java", SourceDeclaration(types, member))
        assert (
            mentions(names, FailureReport([failure], output, failed=True, places=[place]))[0]
            == heads(names, FailureReport([failure], output, places=[place]))[0]
        )
        return heads(names, FailureReport([failure], output, places=[place]))

    assert told("Shown", "Deep", member="run") == (Mention("app/Shown$Deep", "run"),)
    assert told("Shown", "Local", member="run") == (Mention("app/Shown"),)
    other = FailurePlace("Other.java: x", "sources/app/Shown.java", SourceDeclaration(("Shown",), "helper"))
    assert mentions(names, FailureReport([failure], output, failed=True, places=[other])) == (Mention("app/Shown"),)


@pytest.mark.parametrize("failed", [True, False])
def test_places_count_where_failures_have_no_names(shown: ItemModel, failed: bool) -> None:
    names = ClassNames(shown.model)
    output = "sources/app/Shown.java:9: error: illegal start of expression\n  x\n  ^\n"
    place = FailurePlace(
        "Shown.java: illegal start of expression; at a name",
        "sources/app/Shown.java",
        SourceDeclaration(("Shown", "Deep"), "run"),
    )
    found = (Mention("app/Shown$Deep", "run"), Mention("app/Shown"))
    assert mentions(names, FailureReport([], output, failed, places=[place])) == found
    assert heads(names, FailureReport([], output, places=[place])) == found[:1]
    trace = f"{output}java.lang.Error: x\n\tat app.Shown.helper(Shown.java:3)\n"
    assert heads(names, FailureReport([], trace, places=[place])) == ()


@pytest.mark.parametrize(
    ("message", "members"),
    [
        ("no suitable method found for helper(int)", ["helper"]),
        ("method helper in class Shown cannot be applied to given types;", ["helper"]),
        ("constructor Shown in class Shown cannot be applied to given types;", ["<init>"]),
        ("limit has private access in Shown", ["limit"]),
        ("helper() in Shown cannot override helper() in Base", ["helper"]),
        ("incompatible types: int cannot be converted to String", []),
        ("variable local is already defined in method broken(int)", ["broken"]),
    ],
)
def test_members_in_the_messages_of_javac_are_found(shown: ItemModel, message: str, members: list[str]) -> None:
    found = mentions(ClassNames(shown.model), FailureReport([f"Shown.java: {message}"], "", failed=True))
    assert [mention.member for mention in found if mention.name == "app/Shown" and mention.member] == members


def test_classes_of_members_in_the_messages_of_javac_are_found(shown: ItemModel) -> None:
    message = "reference to helper is ambiguous; both method helper(int) in Shown and method limit() in Base match"
    found = mentions(ClassNames(shown.model), FailureReport([f"Shown.java: {message}"], "", failed=True))
    assert Mention("app/Shown$Base") in found
    plain = FailureReport(["Shown.java: incompatible types: int cannot be converted to String"], "", failed=True)
    assert mentions(ClassNames(shown.model), plain) == (Mention("app/Shown"),)


def test_a_frame_of_another_class_of_the_name_is_no_place_in_the_input(shown: ItemModel) -> None:
    names = ClassNames(shown.model)
    head = "java.lang.IllegalStateException: cannot read app/Shown$Base\n"
    others, own = f"{head}\tat app.Shown.helper(Shown.java:400)\n", f"{head}\tat app.Shown.helper(Shown.java:13)\n"
    failures = ("java.lang.IllegalStateException: cannot read app/Shown$Base at app.Shown.helper",)
    for wanted in ((), failures):
        assert mentions(names, FailureReport(wanted, others, failed=True)) == (Mention("app/Shown$Base"),)
        member, named = mentions(names, FailureReport(wanted, own, failed=True))
        assert (member.name, member.member) == ("app/Shown", "helper")
        assert named == Mention("app/Shown$Base")
    assert heads(names, FailureReport(failures, others)) == (Mention("app/Shown$Base"),)
    assert heads(names, FailureReport(failures, own)) == (Mention("app/Shown"),)


def test_a_source_file_is_found_at_the_end_of_its_folders_in_one_pass(shown: ItemModel) -> None:
    names = ClassNames(shown.model)
    assert names.mentions("src/app/Shown.java: broken") == [Mention("app/Shown")]
    assert names.mentions(f"{'x' + chr(92)}" * 30_000) == [], "each place within it was a start once: minutes"


def test_the_frames_of_an_output_count_for_each_of_its_failures(shown: ItemModel) -> None:
    output = "E: one\n\tat app.Shown.helper(Shown.java:13)\n"
    failures = [f"E: one at app.Shown.helper < app.Shown.{name}" for name in ("broken", "helper")]
    assert set(mentions(ClassNames(shown.model), FailureReport(failures, output, failed=True))) >= {
        Mention("app/Shown", "helper")
    }
    assert ClassNames(shown.model).in_traces("nothing") is None
