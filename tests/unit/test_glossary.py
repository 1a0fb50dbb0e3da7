"""The glossary (``core/glossary.md``): a row for every noun by which a public class of the engine's middle is named."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.support.rows import rows

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("search", "plan", "reduction", "evidence", "check")

GENERAL = frozenset(
    {
        "cancel",
        "choice",
        "class",
        "clock",
        "code",
        "context",
        "control",
        "cost",
        "count",
        "end",
        "error",
        "input",
        "key",
        "left",
        "limit",
        "moment",
        "name",
        "node",
        "over",
        "pool",
        "problem",
        "report",
        "result",
        "share",
        "spec",
        "spent",
        "state",
        "step",
        "stopped",
        "table",
        "test",
        "until",
    }
)
"""Last words of class names that need no explanation."""


def _public_classes() -> Iterator[str]:
    for room in ROOMS:
        for path in sorted((ROOT / "core" / room).rglob("*.py")):
            for statement in ast.parse(path.read_text(encoding="utf-8")).body:
                if isinstance(statement, ast.ClassDef) and not statement.name.startswith("_"):
                    yield statement.name


def _singular(word: str) -> str:
    for ending, single in (("ies", "y"), ("shes", "sh"), ("xes", "x"), ("sses", "ss")):
        if word.endswith(ending):
            return word.removesuffix(ending) + single
    return word if word.endswith(("ss", "us")) else word.removesuffix("s")


def _glossary() -> set[str]:
    """Return the words of the first column, in the singular."""
    return {_singular(word.lower()) for row in _rows() for word in re.findall(r"[A-Za-z]+", row)}


def _rows() -> list[str]:
    """Return the first column, without its title."""
    return re.findall(r"^\| ([^|]+) \|", (ROOT / "core/glossary.md").read_text(encoding="utf-8"), re.MULTILINE)[2:]


def test_the_glossary_is_short() -> None:
    assert len(_rows()) <= 60


def test_words_become_singular() -> None:
    assert [_singular(word) for word in ("priors", "history", "prefixes", "class", "classes", "wishes", "levels")] == [
        "prior", "history", "prefix", "class", "class", "wish", "level",
    ]  # fmt: skip


@rows("name", sorted(set(_public_classes())))
def test_the_noun_of_a_class_is_in_the_glossary(name: str) -> None:
    noun = _singular(re.findall(r"[A-Z][a-z]*", name)[-1].lower())
    assert noun in GENERAL | _glossary()
