"""Jars that have missing packages: named by the manifest, beside the input, in the local Maven repository."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from core.library.nearby import find_packages, jars_to_add


def jar(path: Path, *classes: str, manifest: str = "") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w") as made:
        if manifest:
            made.writestr("META-INF/MANIFEST.MF", f"Manifest-Version: 1.0\r\n{manifest}\r\n")
        for name in classes:
            made.writestr(f"{name}.class", b"")
    return path


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return tmp_path / "home" / ".m2" / "repository"


def found(wanted: dict[str, set[str]], *sources: Path, given: tuple[Path, ...] = ()) -> dict[str, tuple[str, str]]:
    rows = find_packages(
        {name: frozenset(classes) for name, classes in wanted.items()}, sources, given, ended=lambda: False, declared=()
    )
    return {row.package: (Path(row.jar).name, Path(row.given).name) for row in rows}


def test_the_manifest_comes_before_the_folder_and_the_folder_before_maven(tmp_path: Path, home: Path) -> None:
    app = jar(tmp_path / "app" / "app.jar", "app/Main", manifest="Class-Path: far/a.jar\r\n  gone.jar")
    jar(tmp_path / "app" / "far" / "a.jar", "a/A")
    jar(tmp_path / "app" / "near.jar", "a/A", "b/B")
    jar(home / "b" / "c" / "1" / "c-1.jar", "b/B", "b/c/C")
    wanted = {"a": {"A"}, "b": {"B"}, "b.c": {"C"}, "d": {"D"}}
    assert found(wanted, app) == {
        "a": ("a.jar", ""), "b": ("near.jar", ""), "b.c": ("c-1.jar", ""), "d": ("", ""),
    }  # fmt: skip


def test_of_two_versions_the_one_with_the_missing_classes_is_taken(tmp_path: Path, home: Path) -> None:
    app = jar(tmp_path / "app.jar", "app/Main")
    jar(tmp_path / "lib" / "jansi-1.jar", "org/jansi/Ansi", "org/jansi/Stream")
    newer = jar(tmp_path / "jansi-2.jar", "org/jansi/Ansi")
    assert found({"org.jansi": {"Ansi", "Stream"}}, app) == {"org.jansi": ("jansi-1.jar", "")}
    assert found({"org.jansi": {"Stream"}}, app, given=(newer,)) == {"org.jansi": ("jansi-1.jar", "jansi-2.jar")}
    assert found({"org.jansi": {"Other"}}, app, given=(newer,)) == {"org.jansi": ("", "jansi-2.jar")}


def test_of_a_repositorys_versions_that_of_the_input_is_taken(tmp_path: Path, home: Path) -> None:
    for version, *more in (("1.0", "org/core/New"), ("2.0",), ("3.0", "org/core/New")):
        jar(home / "org" / "core" / "core" / version / f"core-{version}.jar", "org/core/Core", *more)
    wanted = {"org.core": {"Core", "New"}}
    assert found(wanted, jar(tmp_path / "1" / "app-2.0.jar", "app/Main")) == {"org.core": ("core-2.0.jar", "")}
    told = jar(tmp_path / "2" / "app.jar", "app/Main", manifest="Implementation-Version: 3.0")
    assert found(wanted, told) == {"org.core": ("core-3.0.jar", "")}
    assert found(wanted, jar(tmp_path / "3" / "app.jar", "app/Main")) == {"org.core": ("core-1.0.jar", "")}


def test_damaged_jars_are_passed_over_and_each_jar_is_named_once(tmp_path: Path, home: Path) -> None:
    app = jar(tmp_path / "app.jar", "app/Main")
    (tmp_path / "broken.jar").write_bytes(b"no jar")
    both = jar(tmp_path / "both.jar", "a/A", "b/B")
    rows = find_packages({"a": frozenset({"A"}), "b": frozenset()}, [app], [], ended=lambda: False, declared=())
    assert jars_to_add(rows) == [str(both)]
