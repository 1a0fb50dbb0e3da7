"""Texts that are looked for in strings, bytecode and decompiled source, by the engine."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from core.protocol import events
from core.protocol.questions.explore import ListNamed, SearchCode
from core.service import source_memory
from core.service.queries.desk import Desk
from core.service.queries.explore import code_search
from core.service.session_keeper import SessionKeeper
from core.service.workspace import Workspace
from tests.support.files import jar_of
from tests.support.java import CompileJava
from tests.support.own_tools import decompiler, only_tools

PROGRAM = {
    "p/Main.java": 'package p; class Main { String name() { return "p.Other"; } int size() { return name().length();}}',
    "p/Other.java": 'package p; class Other { String sign() { return "über"; } }',
}
WRITTEN = "mkdir -p sources/p; echo run >> FOLDER/runs; printf 'class A {\\n// Found here\\n}' > sources/p/Main.java"

Search = Callable[..., list[events.CodeFound]]


@pytest.fixture
def told() -> list[events.Event]:
    return []


@pytest.fixture
def desk(
    told: list[events.Event], compile_java: CompileJava, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Desk]:
    """A desk with an input of two classes and one decompiler, which notes its runs."""
    run = WRITTEN.replace("FOLDER", str(tmp_path)).replace("\\", "\\\\")
    only_tools(monkeypatch, {"reader": decompiler("reader", f'["sh", "-c", "{run}"]')})
    workspace = Workspace(told.append)
    made = Desk(workspace, SessionKeeper(workspace))
    made.keeper.open([str(jar_of(compile_java(PROGRAM), tmp_path / "program.jar"))])
    yield made
    made.background.close()
    workspace.close()


@pytest.fixture
def search(desk: Desk, told: list[events.Event]) -> Search:
    """Search as the window does; the answers."""

    def ask(text: str, place: str) -> list[events.CodeFound]:
        told.clear()
        desk.answer(SearchCode(text, place))
        return [event for event in told if isinstance(event, events.CodeFound)]

    return ask


def test_source_is_made_once_and_told_with_its_lines(search: Search, tmp_path: Path) -> None:
    (found,) = search(" found HERE", "source")
    assert found.places == [("p/Main", "2: // Found here")]
    assert (found.found, found.looked, found.over) == (1, 1, True)
    (none,) = search("nowhere", "source")
    assert (none.places, none.found) == ([], 0)
    assert (tmp_path / "runs").read_text() == "run\n"


def test_texts_in_strings_and_bytecode_have_their_members(search: Search) -> None:
    (found,) = search("P.OTHER", "strings")
    assert [place.name.partition(":")[0] for place in found.places] == ["p/Main.name"]
    (found,) = search("ÜBER", "strings")
    assert [place.name.partition(":")[0] for place in found.places] == ["p/Other.sign"], "no bytes are compared"
    (found,) = search("invokevirtual java.lang.String.length", "bytecode")
    assert [place.name.partition(":")[0] for place in found.places] == ["p/Main.size"]
    assert found.looked == 2


def test_many_places_come_in_parts(search: Search, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(code_search, "_PART", 1)
    parts = search("return", "bytecode")
    assert len(parts) > 1
    assert [part.over for part in parts] == [False] * (len(parts) - 1) + [True]
    assert parts[-1].found == sum(len(part.places) for part in parts)


def test_what_cannot_be_looked_for_is_told(
    search: Search, told: list[events.Event], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert search("x", "strings") == []
    assert "Type at least 2 letters." in failures(told)
    monkeypatch.setattr(source_memory, "decompilers", list)
    assert search("class", "source") == []
    assert failures(told)[0].startswith("No decompiler is installed")


def failures(told: list[events.Event]) -> list[str]:
    return [event.message for event in told if isinstance(event, events.Failed)]


def test_a_decompiler_without_a_source_says_why(
    compile_java: CompileJava, told: list[events.Event], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    only_tools(monkeypatch, {"broken": decompiler("broken", '["sh", "-c", "echo out of luck >&2; exit 3"]')})
    workspace = Workspace(told.append)
    desk = Desk(workspace, SessionKeeper(workspace))
    desk.keeper.open([str(jar_of(compile_java(PROGRAM), tmp_path / "program.jar"))])
    desk.answer(SearchCode("class", "source"))
    desk.background.close()
    workspace.close()
    assert failures(told)


def test_names_in_strings_are_pairs_of_classes(desk: Desk, told: list[events.Event]) -> None:
    desk.answer(ListNamed())
    named = next(event for event in told if isinstance(event, events.NamedListed))
    numbers = [named.edges[at : at + 2] for at in range(0, len(named.edges), 2)]
    items = desk.workspace.opened.items
    assert [[items[number].name for number in pair] for pair in numbers] == [["p/Main", "p/Other"]]
