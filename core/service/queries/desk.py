"""The desk where a window's questions are answered: it runs the function that answers a command, and tells the answer.

A function that answers is registered beside its code. It gets the desk and the command, and returns an event or yields
several. The desk fills in the number of the request. It tells an error by the event that ``failed`` makes, or raises
the error.

Example::

    @answers(commands.ListMembers)
    def list_members(desk: Desk, wish: commands.ListMembers) -> Members:
        return Members(list(lister(desk).of(wish.classes)))
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

from core.errors import JarletError, UsageError
from core.protocol.bug_commands import StopBackground
from core.protocol.wire import Command, Event
from core.service.queries.background_runs import BackgroundList

if TYPE_CHECKING:
    from core.service.window_session import WindowSession
    from core.service.workspace import Workspace

C = TypeVar("C", bound=Command)
T = TypeVar("T")
Told = Event | Iterable[Event]


@dataclass(frozen=True)
class Registered:
    """A function that answers a command, the event of an error, and whether only the newest wish counts.

    ``arrives`` is called with each wish when it comes, before its turn.
    """

    find: Callable[[Desk, Any], Told]
    failed: Callable[[Any, str], Event] | None
    newest: bool
    arrives: Callable[[Desk, Any], object]


ANSWERS: dict[type[Command], Registered] = {}
"""The functions that answer, by the classes of the commands. A module registers its own when it is imported."""


def _wait(desk: Desk, wish: Command) -> None:
    """Let a wish wait for its turn."""


def answers(
    command: type[C],
    failed: Callable[[C, str], Event] | None = None,
    *,
    newest: bool = False,
    arrives: Callable[[Desk, C], object] = _wait,
) -> Callable[[Callable[[Desk, C], Told]], Callable[[Desk, C], Told]]:
    """Register the function that answers a command.

    ``failed`` makes an event of the command and of the message of an error; without it the error is raised. With
    ``newest``, of the wishes that arrive during an answer the newest alone is carried out; ``arrives``, called with
    each of them, may end the answer under way.
    """

    def register(find: Callable[[Desk, C], Told]) -> Callable[[Desk, C], Told]:
        ANSWERS[command] = Registered(find, failed, newest, arrives)
        return find

    return register


@answers(StopBackground)
def stop_background(desk: Desk, wish: StopBackground) -> tuple[()]:
    """End the runs of a kind."""
    desk.background.stop(wish.kind)
    return ()


def once_per_input(make: Callable[[Desk], T]) -> Callable[[Desk], T]:
    """Return a function that calls ``make`` once for each opened input, and then returns the object again."""

    @wraps(make)
    def kept(desk: Desk) -> T:
        return desk.kept(make)

    return kept


class Desk:
    """The workspace that the answers are about, and the objects that several answers share."""

    def __init__(self, workspace: Workspace, session: WindowSession) -> None:
        self.workspace, self.session = workspace, session
        self.environment = dict(os.environ)
        """Variables as the user set them, before any :class:`Configure`."""
        self.background = BackgroundList(workspace.emit)
        self._lock = threading.RLock()
        self._model: object = None
        self._made: dict[object, Any] = {}
        self._turns = {command: Turns() for command, answer in ANSWERS.items() if answer.newest}

    def answer(self, wish: Command) -> None:
        """Answer a command. Raises JarletError where no event tells of an error."""
        answer = ANSWERS.get(type(wish))
        if answer is None:
            raise UsageError(f"The engine cannot carry out the command {wish.name!r}.")
        answer.arrives(self, wish)
        if answer.newest:
            self._turns[type(wish)].take(lambda: self._tell(answer, wish))
        else:
            self._tell(answer, wish)

    def kept(self, make: Callable[[Desk], T]) -> T:
        """Return what ``make`` made for the opened input; make it now if it is not there."""
        with self._lock:
            if self._model is not self.workspace.model:
                self._model, self._made = self.workspace.model, {}
            if make not in self._made:
                self._made[make] = make(self)
            found: T = self._made[make]
            return found

    def _tell(self, answer: Registered, wish: Command) -> None:
        try:
            found = answer.find(self, wish)
            for event in (found,) if isinstance(found, Event) else found:
                self._emit(event, wish)
        except JarletError as error:
            if answer.failed is None:
                raise
            self._emit(answer.failed(wish, str(error)), wish)

    def _emit(self, event: Event, wish: Command) -> None:
        """Tell an event, with the number of the request that it answers."""
        told: Any = event
        if hasattr(wish, "request") and hasattr(event, "request"):
            told = replace(told, request=wish.request)
        self.workspace.emit(told)


class Turns:
    """Wishes of one kind, carried out one at a time. A wish that waits is replaced by a newer one."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: Callable[[], None] | None = None
        self._busy = False

    def take(self, wish: Callable[[], None]) -> None:
        """Carry out the wish and those that arrive meanwhile, or leave the wish to the thread that is at work.

        An error of a wish is raised; wishes after that are carried out all the same.
        """
        with self._lock:
            self._waiting = wish
            if self._busy:
                return
            self._busy = True
        try:
            while (wanted := self._next()) is not None:
                wanted()
        except BaseException:
            with self._lock:
                self._busy = False
            raise

    def _next(self) -> Callable[[], None] | None:
        with self._lock:
            wanted, self._waiting = self._waiting, None
            self._busy = wanted is not None
            return wanted
