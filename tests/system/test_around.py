"""``jarlet around`` and ``jarlet rules``."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from app.cli import main
from core.library.jdk import QUICK_TOOL
from core.model.rules.base import RULES
from tests.support.files import jar_of
from tests.support.java import CompileJava

SOURCES = {
    "a/Shop.java": """
        package a;
        public class Shop {
            public Shelf shelf() { return new Wood(); }
            public int idle() { return 1; }
        }""",
    "a/Shelf.java": "package a; public interface Shelf { int size(); }",
    "a/Wood.java": "package a; public class Wood implements Shelf { public int size() { return 3; } }",
}
CODE = "a.Shop.shelf:()La/Shelf;!code"


@pytest.fixture(scope="module")
def shop(compile_java: CompileJava, tmp_path_factory: pytest.TempPathFactory) -> Path:
    classes = compile_java(SOURCES)
    return jar_of(classes, tmp_path_factory.mktemp("shop") / "shop.jar")


@pytest.mark.parametrize("code", [CODE, "a.Shop.shelf(), code"])
@pytest.mark.parametrize("exact", [[], ["--exact"]])
def test_the_jar_around_an_item_holds_what_it_needs(
    shop: Path, tmp_path: Path, exact: list[str], code: str, capsys: pytest.CaptureFixture[str]
) -> None:
    small = tmp_path / "small.jar"
    assert main(["around", str(shop), code, *exact, "-o", str(small)]) == 0
    assert "3 classes" in capsys.readouterr().out
    listing = subprocess.run(
        ["javap", *QUICK_TOOL, "-p", "-cp", small, "a.Shop", "a.Wood", "a.Shelf"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert "shelf()" in listing
    assert "class a.Wood implements a.Shelf" in listing
    assert "idle" not in listing
    assert "size" not in listing


def test_what_may_go_is_left_out(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["around", str(shop), "a.Shop", "--without", "a.Wood"]) == 0
    assert capsys.readouterr().out.splitlines()[1:] == ["  a.Shop"]


def test_a_contradiction_is_told_with_its_rules(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["around", str(shop), CODE, "a.Shop.idle:()I", "--without", "a.Wood", "--without", "a.Shelf"]) == 1
    out = capsys.readouterr().out
    assert "cannot go while a.Shop.shelf(), code stays." in out
    assert "[" in out.splitlines()[-1]
    assert "idle" not in out  # it has no part in it


def test_unknown_items_and_rules(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["around", str(shop), "a.Shopp"]) == 2
    assert "a.Shop" in capsys.readouterr().err
    assert main(["rules", "Z9"]) == 2
    assert "Z9" in capsys.readouterr().err


def test_every_rule_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert {line.split()[0] for line in lines if not line.startswith(" ")} == set(RULES)
    assert main(["rules", "K3"]) == 0
    assert capsys.readouterr().out.startswith("K3   jvm  code needs the methods it calls")
