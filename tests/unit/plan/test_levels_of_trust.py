"""The items of a program that stay at each level of trust, by the code that ran."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.plan.trust import Trust
from tests.support.trusted_program import RAN, with_loaded


def test_as_run_keeps_the_code_that_ran_and_no_other(trust) -> None:
    found = trust("as-run")
    assert [name for name, _ in found.methods("app/Main")] == ["<init>", "main", "<clinit>"]
    assert found("app/Main.main:([Ljava/lang/String;)V!code")
    assert not found("app/Main.apart:()V"), "no code calls a method of that name"
    assert not found("app/Main.never:()V"), "nothing but its own class finds it"
    assert not found("app/Round")


def test_equals_stays_where_hash_code_ran(model, library) -> None:
    equals = ("equals", "(Ljava/lang/Object;)Z")
    ran = with_loaded("app/Hashed")
    ran = replace(ran, missed=ran.missed | {("app/Hashed", *equals)})
    found = Trust(model, ran, "as-run", library.get)
    assert equals in found.methods("app/Hashed"), "by chance two objects had other hashes in this run"


def test_careful_follows_the_code_that_ran(trust) -> None:
    found = trust("careful")
    assert "rarely" in {name for name, _ in found.methods("app/Main")}
    assert found.reasons["app/Round"] == "code of app.Main may reach it"
    assert {"never", "apart"}.isdisjoint(name for name, _ in found.methods("app/Main"))
    assert not found("app/Unused")


def test_careful_keeps_what_a_call_may_select_and_not_what_has_the_same_name(trust) -> None:
    found = trust("careful")
    assert [name for name, _ in found.methods("app/Base")] == ["<init>", "area"], "inherited by a shape"
    assert [name for name, _ in found.methods("app/Round")] == ["<init>", "toString"], "called from outside"
    assert [name for name, _ in found.methods("app/Named")] == ["<init>"], "named by a string, and no shape"


def test_careful_keeps_what_a_compiler_made_only_where_code_reaches_it(model, library) -> None:
    ran = with_loaded("app/Other")
    ran = replace(ran, missed=ran.missed | {("app/Other", "make", "()Ljava/lang/String;")})
    found = Trust(model, ran, "careful", library.get)
    assert [name for name, _ in found.methods("app/Other")] == ["<init>"], "the bridge is no evidence of a call"


def test_a_call_of_a_type_outside_selects_among_its_subtypes(model, library) -> None:
    ran = with_loaded("app/Caller", "app/Counter", "app/Stream")
    missed = {(name, "read", "()I") for name in ("app/Counter", "app/Stream")}
    found = Trust(model, replace(ran, missed=ran.missed | missed), "careful", library.get)
    assert [name for name, _ in found.methods("app/Stream")] == ["<init>", "read"]
    assert [name for name, _ in found.methods("app/Counter")] == ["<init>"]


def test_a_call_of_an_interface_goes_to_objects_of_another_where_code_makes_proxies(model, library) -> None:
    assert Trust(model, with_loaded("app/Narrows"), "careful", library.get).methods("app/Does") == [("<init>", "()V")]
    found = Trust(model, with_loaded("app/Narrows", "app/Proxies"), "careful", library.get)
    assert ("wide", "()I") in found.methods("app/Does")


def test_careful_keeps_public_methods_where_the_code_that_ran_looks_methods_up(trust, model, library) -> None:
    assert [name for name, _ in trust("careful").methods("app/Square")] == ["<init>", "area"]
    found = Trust(model, with_loaded("app/Lookup"), "careful", library.get)
    assert [name for name, _ in found.methods("app/Square")] == ["<init>", "area", "named"]


@pytest.mark.parametrize(
    ("loaded", "name", "stay"),
    [
        ((), "Helper", ["help"]),
        (("in/Private",), "Helper", ["help", "aside"]),
        (("in/Private", "app/Named"), "Named", ["area"]),
    ],
)
def test_careful_keeps_methods_of_objects_that_code_makes_and_only_reflection_can_call(
    trust, model, library, loaded: tuple[str, ...], name: str, stay: list[str]
) -> None:
    assert [member for member, _ in trust("careful").methods(f"app/{name}")] == ["<init>"]
    ran = with_loaded("app/Lookup", *loaded)
    ran = replace(ran, missed=ran.missed | {("app/Named", "area", "()I")})
    found = Trust(model, ran, "careful", library.get)
    assert [member for member, _ in found.methods(f"app/{name}")] == ["<init>", *stay]
    assert "area" in {name for name, _ in found.methods("app/Base")}
    assert "length" not in {name for name, _ in found.methods("app/Base")}, "code calls another method of it"


@pytest.mark.parametrize(("shows", "stays"), [("Uses", False), ("Shows", True), ("ByName", True)])
def test_public_methods_that_only_reflection_can_call_stay_where_code_may_have_a_value_of_their_class(
    model, library, shows: str, stays: bool
) -> None:
    ran = with_loaded("app/Lookup", "app/Spares", "app/Uses", f"app/{shows}")
    found = Trust(model, replace(ran, missed=ran.missed | {("app/Spares", "spare", "()V")}), "careful", library.get)
    assert ("spare" in {name for name, _ in found.methods("app/Spares")}) is stays
    assert found("app/Spares.spare:()V"), "it ends loudly"
    assert ("app/Spares" in found.found) is stays


def test_careful_keeps_the_constructors_of_a_class_that_code_has_as_a_value(model, library) -> None:
    found = Trust(model, with_loaded("app/Makes"), "careful", library.get)
    assert found.methods("app/Value") == [("<init>", "(I)V")]


@pytest.mark.parametrize("beside", ["ByWord", "ByText"])
def test_careful_keeps_the_methods_that_strings_beside_the_literal_or_name_of_their_class_name(
    model, library, beside: str
) -> None:
    found = Trust(model, with_loaded(f"app/{beside}"), "careful", library.get)
    assert found.methods("app/Sought") == [("<init>", "()V"), ("sought", "()V")]


def test_classes_in_the_types_of_members_stay_with_their_constructors_where_code_reads_such_types(
    model, library
) -> None:
    assert {"app/Given", "app/Part"}.isdisjoint(Trust(model, with_loaded("app/Hands"), "careful", library.get).reasons)
    found = Trust(model, with_loaded("app/Hands", "app/ReadsTypes"), "careful", library.get)
    assert (found.methods("app/Given"), found.methods("app/Part")) == ([("<init>", "(I)V")], [("<init>", "()V")])
    assert found.reasons["app/Given"] == "a type in app.Takes"


def test_careful_keeps_the_methods_of_a_name_where_the_code_that_ran_looks_up_no_other(trust, model, library) -> None:
    found = Trust(model, with_loaded("app/LookupOne", "app/Helper"), "careful", library.get)
    assert "help" in {name for name, _ in found.methods("app/Helper")}
    assert found.methods("app/Square") == trust("careful").methods("app/Square")
    assert not found.found.keys() & {"app/Square"}
    assert "app/Square" in Trust(model, with_loaded("app/Lookup"), "careful", library.get).found


def test_careful_keeps_the_whole_public_interface_of_a_library_that_tests_run(trust, model, library) -> None:
    assert "app/Tool" not in trust("careful").reasons
    found = Trust(model, RAN, "careful", library.get, tested=True)
    assert found.reasons["app/Tool"] == "public in a library"
    assert ("main", "([Ljava/lang/String;)V") in found.methods("app/Tool")
    assert "named" in {name for name, _ in found.methods("app/Square")}, "a test may have begun with main"
    assert "app/Unused" not in found.reasons
    assert "app/Tool" not in Trust(model, RAN, "as-run", library.get, tested=True).reasons


def test_careful_keeps_what_the_virtual_machine_and_serialization_look_for(trust) -> None:
    found = trust("careful")
    assert {"values", "valueOf"} <= {name for name, _ in found.methods("app/Colour")}
    assert "mix" not in {name for name, _ in found.methods("app/Colour")}
    assert [name for name, _ in found.methods("app/Kept")] == ["<init>"], "no code makes streams of objects"
    assert found("app/Kept.readObject:(Ljava/io/ObjectInputStream;)V"), "it ends loudly"


def test_methods_that_serialization_calls_stay_where_code_makes_streams_of_objects(model, library) -> None:
    found = Trust(model, with_loaded("app/Streams"), "careful", library.get)
    assert "readObject" in {name for name, _ in found.methods("app/Kept")}
    assert not Trust(model, RAN, "careful", library.get)("app/Kept.shown:()I")
    assert found("app/Kept.shown:()I"), "the number of the class comes from the names of its methods"
    ran = with_loaded("app/Streams", "app/Numbered")
    ran = replace(ran, missed=ran.missed | {("app/Numbered", "spare", "()I")})
    assert not Trust(model, ran, "careful", library.get)("app/Numbered.spare:()I"), "the class has its number"


@pytest.mark.parametrize("level", ["as-run", "careful"])
@pytest.mark.parametrize("user", ["app/Calls", "app/Lookup", "app/Beans", "app/Native"])
def test_methods_go_unless_code_may_call_or_look_up_their_names(trust, model, library, level: str, user: str) -> None:
    method = "app/Kept.shown:()I"
    assert not trust(level)(method)
    found = Trust(model, with_loaded(user), level, library.get)
    assert found(method)
    assert not found(f"{method}!code"), "it ends loudly"


def test_methods_stay_whose_objects_list_their_own_methods(model, library) -> None:
    ran = with_loaded("app/Lists", "app/Listed")
    ran = replace(ran, missed=ran.missed | {("app/Listed", "shown", "()I")})
    found = Trust(model, ran, "as-run", library.get)
    assert found("app/Listed.shown:()I")
    assert not found("app/Main.apart:()V")


@pytest.mark.parametrize("level", ["as-run", "careful", "whole-classes"])
def test_services_and_the_classes_of_the_manifest_stay_at_each_level(trust, level: str) -> None:
    found = trust(level)
    assert found.reasons["app/Served"] == "named in META-INF/services/java.lang.Runnable"
    assert found.reasons["app/Started"] == "named in META-INF/MANIFEST.MF"
    assert found("META-INF/services/java.lang.Runnable")


@pytest.mark.parametrize("level", ["as-run", "careful"])
def test_providers_of_a_service_that_nothing_asks_for_go_with_its_file(trust, level: str) -> None:
    found = trust(level)
    assert found.reasons["app/Offered"] == "named in META-INF/services/app.Shape"
    assert {"app/Other", "app/Counter"}.isdisjoint(found.reasons)
    assert not found("META-INF/services/app.Maker")
    assert not found("META-INF/services/not.There")


def test_the_main_class_of_the_manifest_goes_if_the_run_began_with_another(trust) -> None:
    assert not trust("whole-classes")("app/Tool")


def test_private_methods_stay_where_code_looks_methods_up(model, library) -> None:
    method, ran = "in/Private.found:()V", with_loaded("in/Private")
    ran = replace(ran, missed=ran.missed | {("in/Private", "found", "()V")})
    assert Trust(model, ran, "as-run", library.get)(method)
    assert Trust(model, ran, "careful", library.get)(f"{method}!code")


@pytest.mark.parametrize(("type_", "stays"), [("Mark", False), ("Asked", True), ("Many", True)])
def test_annotations_stay_if_code_may_ask_for_their_type(model, library, type_: str, stays: bool) -> None:
    note = f"app/Noted[@app/{type_}]"
    assert Trust(model, with_loaded("app/Noted"), "as-run", library.get)(note) is stays
    assert Trust(model, with_loaded("app/Noted", "app/ListsNotes"), "as-run", library.get)(note)


def test_classes_stay_with_their_constructors_that_are_values_of_annotations_that_stay(model, library) -> None:
    assert "app/Valued" not in Trust(model, with_loaded("app/Noting"), "careful", library.get).reasons
    found = Trust(model, with_loaded("app/Noting", "app/With"), "careful", library.get)
    assert found.methods("app/Valued") == [("<init>", "(I)V")]


def test_line_numbers_stay_where_code_that_ran_prints_them(trust, model, library) -> None:
    assert not trust("careful")("app/Main[lines]")
    assert Trust(model, with_loaded("in/Tracer"), "as-run", library.get)("in/Tracer[lines]")


def test_rows_of_nested_classes_stay_where_code_may_list_them(trust, model, library) -> None:
    row = "app/Finder[inner app/Finder$Beside]"
    assert not Trust(model, with_loaded("app/Finder"), "as-run", library.get)(row)
    assert Trust(model, with_loaded("app/Finder", "app/Lister"), "as-run", library.get)(row)


def test_whole_classes_keep_all_of_what_careful_keeps_a_part_of(trust) -> None:
    found = trust("whole-classes")
    assert found.reasons == trust("careful").reasons
    assert found.methods("app/Main") is None
    assert found("app/Main.never:()V!code")
    assert not found("app/Unused")
