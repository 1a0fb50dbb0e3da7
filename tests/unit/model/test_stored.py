"""Models on disk: the same model again, never a wrong one, never too much."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.archive.jar import Jar, read_jar
from core.library.library import Library, open_library
from core.model import building
from core.model.cache import stored_models
from core.model.item_model import ItemModel
from core.model.model_settings import ModelSettings
from core.model.solver import draw


@pytest.fixture(scope="module")
def library() -> Library:
    return open_library()


@pytest.fixture
def jar(sample_jar: Path) -> Jar:
    return read_jar([sample_jar])


def files(folder: Path) -> list[Path]:
    return sorted(folder.iterdir()) if folder.exists() else []


def make(jar: Jar, library: Library, cache: Path | None, granularity: str = "full", validity: str = "src") -> ItemModel:
    return building.load_or_build(jar, ModelSettings(library, granularity, validity), cache)


def test_a_stored_model_is_the_same_model(
    jar: Jar, library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built = make(jar, library, tmp_path)
    monkeypatch.setattr(building, "build_by", None)  # so that it can only be loaded
    loaded = make(jar, library, tmp_path)
    assert loaded.items == built.items
    assert loaded.model.items == built.model.items
    assert loaded.model.graph.nodes == built.model.graph.nodes
    assert list(loaded.model.graph.graph.edges) == list(built.model.graph.graph.edges)
    assert loaded.parts == built.parts
    assert list(loaded.formula.clauses()) == list(built.formula.clauses())
    assert loaded.formula.edges.dtype == np.int32
    assert list(loaded.facts) == list(built.facts)
    assert dict(loaded.facts) == built.facts
    assert loaded.unresolved == built.unresolved
    assert (loaded.granularity, loaded.validity) == ("full", "src")
    facts = range(built.formula.items, built.formula.variables)
    assert [loaded.describe(fact) for fact in facts] == [built.describe(fact) for fact in facts]
    for kept in draw(built, 8, 5):
        assert loaded.entries(kept) == built.entries(kept)
    assert list(draw(loaded, 4, 5)) == list(draw(built, 4, 5))


def test_no_cache_writes_nothing(jar: Jar, library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    make(jar, library, None)
    assert files(tmp_path / "cache") == files(stored_models.default_folder()) == []


def test_the_folder_is_the_users_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert stored_models.default_folder() == tmp_path / "jarlet" / "models"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert stored_models.default_folder() == tmp_path / "home" / ".cache" / "jarlet" / "models"


def test_what_a_model_depends_on_is_in_its_key(jar: Jar, library: Library, sample_jar: Path) -> None:
    key = stored_models.key_of(jar, ModelSettings(library, "member", "src"))
    entries = list(jar.entries)
    place = jar.classes()[0]
    entries[place] = replace(entries[place], data=entries[place].data[:-1] + b"\1")
    others = [
        stored_models.key_of(jar, ModelSettings(library, "full", "src")),
        stored_models.key_of(jar, ModelSettings(library, "member", "jvm")),
        stored_models.key_of(replace(jar, entries=tuple(entries)), ModelSettings(library, "member", "src")),
        stored_models.key_of(replace(jar, entries=jar.entries[1:]), ModelSettings(library, "member", "src")),
        stored_models.key_of(jar, ModelSettings(open_library([sample_jar]), "member", "src")),
    ]
    assert len({key, *others}) == 6
    assert key == stored_models.key_of(replace(jar, title="other"), ModelSettings(library, "member", "src"))


@pytest.mark.parametrize("damage", [lambda data: data[:-7], lambda data: data[:400] + b"x" + data[401:], lambda _: b""])
def test_a_damaged_file_is_removed_and_made_again(jar: Jar, library: Library, tmp_path: Path, damage) -> None:
    built = make(jar, library, tmp_path)
    (path,) = files(tmp_path)
    whole = path.read_bytes()
    path.write_bytes(damage(whole))
    assert stored_models.load(tmp_path, path.stem, jar, ModelSettings(library)) is None
    assert files(tmp_path) == []
    assert make(jar, library, tmp_path).items == built.items
    assert path.read_bytes() == whole


def test_content_that_is_no_model_is_removed(jar: Jar, library: Library, tmp_path: Path) -> None:
    (tmp_path / "key.model").write_bytes(stored_models._digest([b"no pickle"]) + b"no pickle")
    assert stored_models.load(tmp_path, "key", jar, ModelSettings(library)) is None
    assert files(tmp_path) == []


def test_a_folder_that_cannot_be_made_costs_time_only(jar: Jar, library: Library, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert make(jar, library, tmp_path / "file" / "models").items
    assert (tmp_path / "file").read_text() == ""


def test_those_used_longest_ago_go_first(jar: Jar, library: Library, tmp_path: Path) -> None:
    built = make(jar, library, None)
    for number, key in enumerate("abc"):
        stored_models.save(tmp_path, key, built)
        os.utime(tmp_path / f"{key}.model", (number, number))
    assert stored_models.load(tmp_path, "a", jar, ModelSettings(library))  # which counts as a use
    size = (tmp_path / "a.model").stat().st_size
    stored_models.save(tmp_path, "d", built, limit=3 * size)
    assert [path.name for path in files(tmp_path)] == ["a.model", "c.model", "d.model"]
    stored_models.save(tmp_path, "e", built, limit=size - 1)
    assert [path.name for path in files(tmp_path)] == ["e.model"]
    assert stored_models.load(tmp_path, "a", jar, ModelSettings(library)) is None


def test_the_rooms_that_make_a_model_are_those_that_its_sources_import():
    core = Path(stored_models.__file__).parents[2]
    imported = {
        line.split(".")[1].split()[0]
        for path in (core / "model").rglob("*.py")
        for line in path.read_text().splitlines()
        if line.startswith("from core.") and line.count(".") > 1
    }
    assert all(any((core / room).glob("*.py")) for room in stored_models._MAKERS)
    assert imported <= {*stored_models._MAKERS, "system", "protocol"}
