"""The classes and resources of a program that stay since its code may make their names."""

from __future__ import annotations

import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from core.archive.jar import read_jar
from core.model import class_model
from core.plan.trust import Trust
from tests.support.files import jar_of
from tests.support.trusted_program import RAN, with_loaded


@pytest.mark.parametrize("level", ["as-run", "careful"])
def test_classes_stay_whose_names_begin_with_a_package_or_class_in_a_string(model, library, level: str) -> None:
    found = Trust(model, with_loaded("app/Finder"), level, library.get)
    assert found.reasons["plug/Plug"] == "named in app.Finder"
    assert found.reasons["app/Holder$Held"] == "named in app.Finder"


def test_no_name_begins_with_a_string_that_is_only_compared(model, library) -> None:
    assert "plug/Plug" not in Trust(model, with_loaded("app/Compares"), "careful", library.get).reasons


@pytest.mark.parametrize("level", ["as-run", "careful"])
@pytest.mark.parametrize(
    ("loaded", "found"),
    [
        ("by/Package", "by/Beside"),
        ("by/Joins", "by/Joins$Fast"),
        ("by/name/Owner", "by/name/StoreFast"),
        ("by/name/Start", "by/name/Until"),
        ("by/help/Asks", "by/help/deep/Down"),
        ("by/help/Hands", "by/help/near/Other"),
        ("in/Words", "in/Words_de"),
        ("in/part/First", "in/part/Second"),
        ("app/Lister", "app/Finder$Beside"),
        ("in/note/Note", "in/note/package-info"),
    ],
    ids=str,
)
def test_classes_stay_whose_names_code_may_make(model, library, level: str, loaded: str, found: str) -> None:
    assert found in Trust(model, with_loaded(loaded), level, library.get).reasons


def test_a_class_named_by_another_and_an_ending_is_asked_for_only_if_it_is_a_bundle(model, library) -> None:
    found = Trust(model, with_loaded("in/Client", "in/Facade"), "careful", library.get)
    assert found.reasons["in/Facade_Part"] == "above in.Facade"
    assert [name for name, _ in found.methods("in/Facade_Part")] == ["<init>"]


def test_the_name_of_a_package_that_only_is_told_keeps_no_class(model, library) -> None:
    assert "by/help/deep/Down" not in Trust(model, with_loaded("by/help/Tells"), "careful", library.get).reasons


def test_a_class_that_no_class_names_was_asked_for_by_a_name_that_the_program_made(model, library) -> None:
    found = Trust(model, with_loaded("in/part/First"), "careful", library.get)
    assert found.reasons["in/part/Second"] == "named in a name that the program made"
    assert "in/part/Third" not in found.reasons, "it has no supertype in common"
    assert found.methods("in/other/Fourth") == [("<init>", "()V")]
    assert "in/other/Fifth" not in found.reasons, "no other package can make its objects"


def test_careful_keeps_the_setters_of_such_a_class_where_code_looks_methods_up(model, library) -> None:
    found = Trust(model, with_loaded("in/part/First", "app/Lookup"), "careful", library.get)
    assert ("setWidth", "(I)V") in found.methods("in/other/Fourth")


def test_careful_keeps_classes_named_in_a_resource_that_code_may_ask_for(trust) -> None:
    assert trust("careful").reasons["app/InFile"] == "named in app/unread.conf"
    assert not trust("as-run")("app/InFile")


def test_resources_stay_if_they_were_asked_for_or_a_class_may_ask_for_them(trust) -> None:
    found = trust("careful")
    assert found("app/asked.txt")
    assert not found("other/folder/strange.bin")


def test_classes_stay_that_are_named_in_a_binary_file_that_the_run_read(model, library) -> None:
    read = Trust(model, replace(RAN, read=RAN.read | {"names.bin"}), "as-run", library.get)
    assert (read.reasons["app/Unused"], read.reasons["by/Beside"]) == ("named in names.bin",) * 2
    assert "app/Unused" not in Trust(model, RAN, "as-run", library.get).reasons


@pytest.mark.parametrize("name", ["any.ending", "picture2.bin"])
def test_resources_stay_whose_names_code_may_join(trust, model, library, name: str) -> None:
    assert not trust("careful")(name)
    assert Trust(model, with_loaded("in/Reader"), "careful", library.get)(name)


def test_of_a_jar_of_which_no_class_stays_its_manifest_stays_only_where_code_asks_for_manifests(
    model, library, tmp_path: Path, compile_java
) -> None:
    lone = {"lone/Lone.java": "package lone; public class Lone { }"}
    asks = {
        "asks/Asks.java": """package asks; class Asks {
        Object ask(java.util.jar.JarFile jar) throws Exception { return jar.getManifest(); } }"""
    }
    jars = [jar_of(compile_java(sources), tmp_path / f"{name}.jar") for name, sources in (("a", lone), ("b", asks))]
    for jar in jars:
        with zipfile.ZipFile(jar, "a") as made:
            for name in ("META-INF/MANIFEST.MF", "META-INF/LICENSE", "META-INF/services/other.Service"):
                made.writestr(name, "X: lone.Lone\n")
    joined = class_model.build(read_jar([*model.jar.paths, *jars]))
    asked = replace(RAN, read=frozenset({"META-INF/MANIFEST.MF"}))
    files = [f"a.jar!/META-INF/{name}" for name in ("LICENSE", "MANIFEST.MF", "services/other.Service")]
    assert not any(map(Trust(joined, asked, "careful", library.get), ("lone/Lone", *files)))
    ran = replace(with_loaded("asks/Asks"), read=asked.read)
    assert list(map(Trust(joined, ran, "careful", library.get), files)) == [False, True, False]
