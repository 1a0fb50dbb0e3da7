"""The desk: each command of a window has an answer, which carries the number of its request."""

from __future__ import annotations

import inspect
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.errors import UsageError
from core.protocol import bug_commands, commands, events, wire
from core.protocol.bug_commands import FindMembers, ListLeft
from core.protocol.events import Inspected, LeftTold
from core.service.engine import Engine
from core.service.queries.desk import ANSWERS, Desk, Turns, once_per_input
from core.service.queries.member_lists import lister
from core.service.window_session import WindowSession
from core.service.workspace import Workspace
from tests.support.patience import patience

CLASS = "sample/number/Rational"


@pytest.fixture
def told() -> list[events.Event]:
    return []


@pytest.fixture
def desk(told: list[events.Event]) -> Iterator[Desk]:
    workspace = Workspace(told.append)
    made = Desk(workspace, WindowSession(workspace))
    yield made
    made.background.close()
    workspace.close()


def test_every_command_is_answered_or_carried_out_by_the_engine() -> None:
    assert bug_commands
    by_engine = inspect.getsource(Engine._obey)
    known = wire.known(commands.Command)
    missing = [cls for cls in known.values() if cls not in ANSWERS and f"commands.{cls.__name__}(" not in by_engine]
    assert not missing
    assert len(known) > 25


def test_an_answer_carries_the_number_of_its_request(desk: Desk, told: list[events.Event], sample_jar: Path) -> None:
    desk.session.open([str(sample_jar)])
    desk.answer(ListLeft(request=7))
    desk.answer(commands.ListMembers((CLASS,), request=8))
    left, members = told[-2:]
    assert isinstance(left, LeftTold)
    assert left.request == 7
    assert sum(left.sizes) > 0
    assert isinstance(members, events.Members)
    assert (members.request, members.classes[0]["class"]) == (8, CLASS)


def test_an_error_is_an_event_of_the_answer_where_there_is_one_for_it(desk: Desk, told: list[events.Event]) -> None:
    desk.answer(commands.Inspect(CLASS, request=3))
    failed = told[-1]
    assert isinstance(failed, Inspected)
    assert (failed.item, failed.state, failed.problem, failed.request) == (CLASS, "failed", "Open a jar first.", 3)
    with pytest.raises(UsageError, match="Open a jar first"):
        desk.answer(FindMembers("rec"))
    with pytest.raises(UsageError, match="cannot carry out the command 'pause'"):
        desk.answer(commands.Pause())


def test_what_answers_share_is_made_once_for_each_input(desk: Desk, sample_jar: Path) -> None:
    made: list[object] = []

    @once_per_input
    def shared(at: Desk) -> object:
        made.append(at.workspace.opened)
        return object()

    desk.session.open([str(sample_jar)])
    first = shared(desk)
    assert shared(desk) is first
    assert lister(desk) is lister(desk)
    desk.session.open([str(sample_jar)])
    assert shared(desk) is not first
    assert len(made) == 2
    assert made[0] is not made[1]


def test_of_the_wishes_that_wait_the_newest_is_carried_out() -> None:
    turns, begun, go_on, done = Turns(), threading.Event(), threading.Event(), []

    def first() -> None:
        begun.set()
        assert go_on.wait(patience())
        done.append("first")

    thread = threading.Thread(target=turns.take, args=(first,))
    thread.start()
    assert begun.wait(patience())
    turns.take(lambda: done.append("second"))
    turns.take(lambda: done.append("third"))
    go_on.set()
    thread.join(patience())
    assert done == ["first", "third"]
    turns.take(lambda: done.append("fourth"))
    assert done == ["first", "third", "fourth"]
