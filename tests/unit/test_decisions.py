"""Constants that decide and the notes that justify them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.bench.suite.heuristics import HEURISTICS

ROOT = Path(__file__).resolve().parents[2]
NOTES = ROOT / "tests" / "bench" / "decisions"
ROOMS = (
    "core/search",
    "core/plan",
    "core/reduction",
    "core/evidence",
    "core/check",
    "core/service/searching",
    "core/service/model_builder.py",
)
SEE = re.compile(r"See\s+decisions/([\w-]+\.md)")

DECIDE_NOTHING = {
    "core/check/diagnosis.py: _NOT_FOUND, _NOT_EXECUTABLE": "exit codes of shells",
    "core/check/first_run.py: SHOWN, _MOST_FILES": "length of a message",
    "core/evidence/two_runs.py: _SHOWN": "length of a message",
    "core/evidence/agents.py: _OLDEST, _NEWEST": "versions of JDKs",
    "core/evidence/executed_calls.py: _DISPATCHED": "kinds of method handles",
    "core/service/searching/nearest.py: _MOST": "length of a list in the report, for which nothing is probed",
    "core/service/searching/nearest.py: _JARS": "neighbours whose jars the report keeps",
    "core/service/searching/nearest.py: _BYTES": "size of a result up to which it keeps them",
    "core/service/searching/nearest.py: _WAYS": "candidates that are looked up for that list",
    "core/search/tree_chunks.py: GROUP, CLASS, MEMBER, DETAIL": "levels",
}
"""Constants without a note, and the reason."""


def test_every_number_names_a_note_that_exists() -> None:
    without = set()
    for name, docstring in _numbers():
        notes = SEE.findall(docstring)
        if not notes:
            without.add(name)
        assert all((NOTES / note).is_file() for note in notes), name
    assert without == set(DECIDE_NOTHING)


def test_every_note_belongs_to_a_constant() -> None:
    named = {note for path in (ROOT / "core").rglob("*.py") for note in SEE.findall(path.read_text(encoding="utf-8"))}
    inline = {path.name for path in _notes() if "(inline)" in path.read_text(encoding="utf-8")}
    assert {path.name for path in _notes()} == named | inline


def test_a_note_is_short_and_the_overview_links_it() -> None:
    overview = (NOTES / "README.md").read_text(encoding="utf-8")
    assert [path.name for path in _notes() if f"]({path.name})" not in overview] == []
    assert [path.name for path in _notes() if len(path.read_text(encoding="utf-8").split()) > 400] == []


def test_the_table_has_a_row_for_each_heuristic_that_can_be_switched_off() -> None:
    overview = (NOTES / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([a-z, -]+) \| \[(\d+)\]", overview, re.MULTILINE)
    found = sorted((name, note) for names, note in rows for name in names.split(", "))
    assert found == sorted((each.name, each.note) for each in HEURISTICS)


def test_the_constants_of_a_note_are_in_the_module_that_the_note_names() -> None:
    wrong = [
        f"{note.name}: {name} is not in {module}"
        for note in _notes()
        for names, module in re.findall(
            r"^\| `([^`]+)` \| [^|]+ \| `(\S+\.py)` \|$", note.read_text(encoding="utf-8"), re.MULTILINE
        )
        for name in names.partition(":")[0].split(", ")
        if name.split()[0] not in (ROOT / module).read_text(encoding="utf-8")
    ]
    assert wrong == []


def _notes() -> list[Path]:
    return sorted(NOTES.glob("[0-9]*.md"))


def _numbers() -> Iterator[tuple[str, str]]:
    """Yield the names of the rooms' numeric constants, after the path of the module, with their docstrings."""
    for room in ROOMS:
        place = ROOT / room
        for path in sorted(place.rglob("*.py")) if place.is_dir() else [place]:
            body = ast.parse(path.read_text(encoding="utf-8")).body
            for statement, following in zip(body, [*body[1:], None], strict=True):
                if isinstance(statement, ast.Assign) and _has_number(statement.value):
                    names = ast.unparse(statement.targets[0]).strip("()")
                    yield f"{path.relative_to(ROOT).as_posix()}: {names}", _text(following)


def _has_number(value: ast.expr) -> bool:
    """Return True for a number, arithmetic of numbers, a tuple or a call with a number."""
    match value:
        case ast.Constant():
            return isinstance(value.value, int | float) and not isinstance(value.value, bool)
        case ast.UnaryOp():
            return _has_number(value.operand)
        case ast.BinOp():
            return _has_number(value.left) or _has_number(value.right)
        case ast.Tuple():
            return any(map(_has_number, value.elts))
        case ast.Call():
            return any(map(_has_number, value.args))
    return False


def _text(statement: ast.stmt | None) -> str:
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
        return str(statement.value.value)
    return ""
