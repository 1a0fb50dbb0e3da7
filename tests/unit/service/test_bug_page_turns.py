"""The page of the bug is made for the newest candidate: an older page that is outdated is given up."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from threading import Event as Flag

import pytest

from core.protocol import events
from core.protocol.questions.bug import ShowBug
from core.protocol.settings import Settings
from core.service.queries.bug_page import BugPage
from core.service.queries.desk import Desk
from core.service.session_keeper import SessionKeeper
from core.service.source_memory import SourceMemory
from core.service.workspace import Workspace
from tests.support.files import jar_of, script
from tests.support.java import CompileJava
from tests.support.own_tools import decompiler, only_tools
from tests.support.patience import patience

PROGRAM = {
    "p/Main.java": "package p; class Main { }",
    "p/Idle.java": "package p; class Idle { }",
}
READER = decompiler(
    "reader",
    '''["sh", "-c", """
mkdir -p sources/p; echo "class Main { }" > sources/p/Main.java
if unzip -l $1 | grep -q Idle; then : > FOLDER/begun; until [ -e FOLDER/leave ]; do sleep 0.1; done; fi
""", "sh", "{jar}"]''',
)
"""With the class Idle in the jar it says in a folder that it has begun, and waits there for leave to end."""


@pytest.fixture
def told() -> list[events.BugShown]:
    return []


@pytest.fixture
def desk(
    told: list[events.BugShown], compile_java: CompileJava, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Desk]:
    """A desk with an input of two classes, and no decompiler but the reader."""
    only_tools(monkeypatch, {"reader": READER.replace("FOLDER", str(tmp_path))})
    workspace = Workspace(lambda event: told.append(event) if isinstance(event, events.BugShown) else None)
    made = Desk(workspace, SessionKeeper(workspace))
    made.keeper.open([str(jar_of(compile_java(PROGRAM, "-g:none"), tmp_path / "program.jar"))])
    yield made
    made.background.close()
    workspace.close()


def wait_for(path: Path) -> None:
    """Wait until a file is there, and remove it."""
    deadline = time.monotonic() + patience()
    while not path.exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    path.unlink()


def test_a_page_is_given_up_for_another_question_or_a_candidate_of_half_the_classes(
    desk: Desk, told: list[events.BugShown], tmp_path: Path
) -> None:
    settings = Settings(predicate=f"{script(tmp_path, 'unzip -l $1 | grep -q Main')} {{jar}}", granularity="class")
    begun = tmp_path / "begun"
    first = threading.Thread(target=desk.answer, args=(ShowBug(settings, request=1),))
    first.start()
    wait_for(begun)
    (under_way,) = desk.background._runs
    desk.answer(ShowBug(settings, request=2))
    assert not under_way.is_set(), "the best is as it was: a page that is nearly ready is better than none"
    desk.answer(ShowBug(replace(settings, match="Main"), request=3))
    assert under_way.is_set()
    wait_for(begun)  # the page of the other settings
    desk.workspace.reduce(settings)
    desk.answer(ShowBug(replace(settings, match="Main"), request=4))
    first.join(patience())
    assert not first.is_alive(), "nobody has let the decompiler end that works on the whole jar"
    assert [page.request for page in told] == [4, 4]
    assert [page.classes for page in told] == [1, 1]
    assert told[-1].files[0].name == "p/Main.java"


def test_a_page_whose_source_is_told_is_given_up_for_another_source_beside(
    desk: Desk, told: list[events.BugShown], tmp_path: Path
) -> None:
    page, cancel = BugPage(desk.workspace, SourceMemory()), Flag()
    (tmp_path / "leave").touch()
    settings = Settings(predicate="true {jar}")
    wish = ShowBug(settings)
    pages = page.shown(wish, cancel)
    assert page.outdated(wish), "nothing is being made"
    next(pages)
    assert not page.outdated(wish)
    assert page.outdated(replace(wish, beside="original"))
    cancel.set()
    assert [shown.stopped for shown in pages] == [True]
