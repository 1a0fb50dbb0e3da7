"""The desk: each command of a window has an answer, which carries the number of its request."""

from __future__ import annotations

import inspect
import shutil
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from core.archive.jar import read_jar
from core.protocol import commands, events, wire
from core.protocol.events import LeftTold
from core.protocol.questions.bug import ShowBug
from core.protocol.questions.choosing import ListSessions
from core.protocol.questions.items import FindMembers, Inspect, ListLeft, ListMembers
from core.protocol.settings import Settings
from core.protocol.wire import Question
from core.service.engine import Engine
from core.service.queries.desk import Desk, Turns, function, once_per_input
from core.service.queries.member_lists import lister
from core.service.session_keeper import SessionKeeper
from core.service.workspace import Workspace
from core.store import retention
from core.store.session import Session
from tests.support.patience import patience

CLASS = "sample/number/Rational"


@pytest.fixture
def told() -> list[events.Event]:
    return []


@pytest.fixture
def desk(told: list[events.Event]) -> Iterator[Desk]:
    workspace = Workspace(told.append)
    made = Desk(workspace, SessionKeeper(workspace))
    yield made
    made.background.close()
    workspace.close()


def test_every_command_is_answered_or_carried_out_by_the_engine() -> None:
    by_engine = inspect.getsource(Engine._obey)
    known = wire.known(commands.Command).values()
    questions = [cls for cls in known if issubclass(cls, Question)]
    assert not [cls for cls in known if cls not in questions and f"commands.{cls.__name__}(" not in by_engine]
    assert len(known) > 25
    for cls in questions:
        for name in filter(None, (cls.by, cls.arrives)):
            wish = list(inspect.signature(function(name)).parameters.values())[1]
            assert wish.annotation == cls.__name__, name


def test_an_answer_carries_the_number_of_its_request(desk: Desk, told: list[events.Event], sample_jar: Path) -> None:
    desk.keeper.open([str(sample_jar)])
    desk.answer(ListLeft(request=7))
    desk.answer(ListMembers((CLASS,), request=8))
    left, members = told[-2:]
    assert isinstance(left, LeftTold)
    assert left.request == 7
    assert sum(left.sizes) > 0
    assert isinstance(members, events.Members)
    assert (members.request, members.classes[0]["class"]) == (8, CLASS)


def test_a_class_tells_its_jar_where_there_are_several(
    desk: Desk, told: list[events.Event], sample_jar: Path, tmp_path: Path
) -> None:
    other = shutil.copy(sample_jar, tmp_path / "other.jar")
    for paths, facts in (([sample_jar], ["flags"]), ([sample_jar, other], ["in", "flags"])):
        desk.keeper.open(list(map(str, paths)))
        desk.answer(Inspect(CLASS))
        shown = [event for event in told if isinstance(event, events.Inspected)][-1]
        assert [word for word, _ in shown.facts[: len(facts)]] == facts
    assert shown.facts[0] == ["in", sample_jar.name]


def test_an_error_is_told_with_the_number_of_the_request(desk: Desk, told: list[events.Event]) -> None:
    for number, wish in enumerate((Inspect(CLASS), FindMembers("rec"), ShowBug(Settings(predicate="true {jar}"))), 3):
        told.clear()
        desk.answer(replace(wish, request=number))
        assert told[-1] == events.Failed(wish.name, "Open a jar first.", number)


def test_a_crash_of_an_answer_is_told_and_the_next_question_of_its_kind_is_answered(
    desk: Desk, told: list[events.Event], sample_jar: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    entries = type(desk.workspace).entries
    monkeypatch.setattr(type(desk.workspace), "entries", None)
    desk.keeper.open([str(sample_jar)])
    desk.answer(ListLeft(request=1))
    failed = told[-1]
    assert isinstance(failed, events.Failed)
    assert failed.request == 1
    assert "inside Jarlet" in failed.message
    monkeypatch.setattr(type(desk.workspace), "entries", entries)
    desk.answer(ListLeft(request=2))
    assert isinstance(told[-1], LeftTold)


def test_what_answers_share_is_made_once_for_each_input(desk: Desk, sample_jar: Path) -> None:
    made: list[object] = []

    @once_per_input
    def shared(at: Desk) -> object:
        made.append(at.workspace.opened)
        return object()

    desk.keeper.open([str(sample_jar)])
    first = shared(desk)
    assert shared(desk) is first
    assert lister(desk) is lister(desk)
    desk.keeper.open([str(sample_jar)])
    assert shared(desk) is not first
    assert len(made) == 2
    assert made[0] is not made[1]


def test_a_list_of_sessions_that_was_asked_for_earlier_does_not_come_after_a_later_one(
    desk: Desk, told: list[events.Event], sample_jar: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    listed, begun, go_on = retention.sessions, threading.Event(), threading.Event()

    def slow_once() -> events.Sessions:
        found = listed()
        if not begun.is_set():
            begun.set()
            assert go_on.wait(patience())
        return found

    monkeypatch.setattr(retention, "sessions", slow_once)
    first = threading.Thread(target=desk.answer, args=(ListSessions(),))
    first.start()
    assert begun.wait(patience())
    with Session.create(retention.fresh_place("a.jar"), read_jar([sample_jar]), {"predicate": "true {jar}"}) as made:
        (made.path / "best.jar").write_bytes(sample_jar.read_bytes())
    desk.answer(ListSessions())
    go_on.set()
    first.join(patience())
    lists = [[one.title for one in event.kept] for event in told if isinstance(event, events.Sessions)]
    assert lists == [[], ["sample.jar"]]


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
