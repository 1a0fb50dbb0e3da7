"""Questions of the window: who asked gets the answers, none of which is out of date."""

from __future__ import annotations

import pytest

from app.engine.controller import Controller
from app.engine.opened_jar import OpenedJar
from app.engine.run_state import EngineState
from core.protocol import events
from core.protocol.questions.explore import ListNamed
from core.protocol.questions.items import FindMembers
from core.protocol.wire import Command, Question
from tests.support.gui_helpers import small_jar


@pytest.fixture
def sent(controller: Controller, monkeypatch: pytest.MonkeyPatch) -> list[Command]:
    found: list[Command] = []
    monkeypatch.setattr(controller.client, "send", found.append)
    return found


def number(command: Command) -> int:
    assert isinstance(command, Question)
    return command.request


def test_only_the_answers_to_the_newest_question_of_a_class_arrive(controller: Controller, sent: list[Command]) -> None:
    heard: list[str] = []
    for name in ("first", "second"):
        controller.ask(ListNamed(), lambda event, name=name: heard.append(f"{name} {event.edges}"))
    controller.ask(FindMembers("x"), lambda event: heard.append(event.text))
    first, second, other = map(number, sent)
    tell = controller.client.told.emit
    tell(events.NamedListed([1], request=first))
    tell(events.MembersFound("x", request=other))
    for edges in ([2], [3]):
        tell(events.NamedListed(edges, request=second))
    assert heard == ["x", "second [2]", "second [3]"]
    controller.forget(ListNamed)
    tell(events.NamedListed([4], request=second))
    assert len(heard) == 3


def test_answers_to_earlier_questions_count_until_a_later_one_is_answered_where_they_are_wanted(
    controller: Controller, sent: list[Command]
) -> None:
    heard: list[list[int]] = []
    for _ in range(3):
        controller.ask(ListNamed(), lambda event: heard.append(event.edges), earlier=True)
    first, second, third = map(number, sent)
    for edges, request in enumerate((second, first, third)):
        controller.client.told.emit(events.NamedListed([edges], request=request))
    assert heard == [[0], [2]]


def test_an_error_is_told_to_the_one_that_asked_or_else_to_the_user(
    controller: Controller, sent: list[Command]
) -> None:
    heard: list[str] = []
    told: list[tuple[str, str]] = []
    controller.told.connect(lambda words, kind: told.append((words, kind)))
    controller.ask(ListNamed(), print, heard.append)
    controller.ask(FindMembers("x"), print)
    for command, words in zip(sent, ("no names", "no members"), strict=True):
        controller.client.told.emit(events.Failed(command.name, words, number(command)))
    controller.client.told.emit(events.Failed("list_named", "of nobody", 99))
    assert (heard, told) == (["no names"], [("no members", "error")])


def test_what_was_asked_about_another_input_is_not_answered(controller: Controller, sent: list[Command]) -> None:
    heard: list[object] = []
    controller.ask(ListNamed(), heard.append)
    controller.client.told.emit(OpenedJar(small_jar()[0]))
    controller.client.told.emit(events.NamedListed([], request=number(sent[0])))
    controller.state.phase = EngineState.DEAD
    controller.ask(ListNamed(), heard.append, heard.append)
    assert heard == ["Open a jar first."]
    assert len(sent) == 1, "there is nobody to ask"
