"""The desk of questions: it calls the function that a question names, and emits the answer.

The function gets the desk and the question, and returns an event or yields several. The desk fills in the number of the
request, and tells an error by ``failed``. It has the list of runs beside check and reduction: tools, versions, the
user's command on a small jar.

Example::

class ListMembers(Question[Members], by="member_lists.list_members"):
        classes: tuple[str, ...] = ()

def list_members(desk: Desk, wish: ListMembers) -> Members:
        return Members(list(lister(desk).of(wish.classes)))
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial, wraps
from importlib import import_module
from threading import Event as Flag
from typing import TYPE_CHECKING, Any, TypeVar

from core.crash import told
from core.protocol.input_events import Failed
from core.protocol.questions.background import BackgroundRun, BackgroundRuns, StopBackground
from core.protocol.wire import Event, Question, Reply


class BackgroundList:
    """The runs that go on now. ``emit`` is told the list when one begins or ends."""

    def __init__(self, emit: Callable[[BackgroundRuns], None]) -> None:
        self._emit = emit
        self._lock = threading.Condition()
        self._runs: dict[Flag, BackgroundRun] = {}
        self._closed = False

    @contextmanager
    def run(self, kind: str, title: str, limit: float, *, alone: bool = True) -> Iterator[Flag]:
        """Begin a run; with ``alone`` an earlier one of its kind ends. Whatever it starts ends with the flag, which is
        set by a stop, after ``limit`` seconds, or by a newer run."""
        cancel = Flag()
        timer = threading.Timer(limit, cancel.set)
        timer.daemon = True
        if alone:
            self.stop(kind)
        self._change(lambda: self._runs.update({cancel: BackgroundRun(kind, title, time.time(), limit)}))
        if self._closed:
            cancel.set()
        timer.start()
        try:
            yield cancel
        finally:
            timer.cancel()
            self._change(lambda: self._runs.pop(cancel))

    def stop(self, *kinds: str) -> None:
        """End the runs of some kinds, by default of all."""
        with self._lock:
            runs = list(self._runs.items())
        for cancel, run in runs:
            if not kinds or run.kind in kinds:
                cancel.set()

    def close(self, seconds: float = 0.0) -> None:
        """End all runs, and those that begin from now on. Wait so many seconds for what they have started to end."""
        self._closed = True
        self.stop()
        with self._lock:
            self._lock.wait_for(lambda: not self._runs, seconds)

    def _change(self, change: Callable[[], object]) -> None:
        with self._lock:
            change()
            self._lock.notify_all()
            self._emit(BackgroundRuns(list(self._runs.values())))


if TYPE_CHECKING:
    from core.service.session_keeper import SessionKeeper
    from core.service.workspace import Workspace

T = TypeVar("T")
AnyQuestion = Question[Any]
Told = Event | Iterable[Event]


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
    """The workspace of the answers, and the objects that several answers share."""

    def __init__(self, workspace: Workspace, keeper: SessionKeeper) -> None:
        self.workspace, self.keeper = workspace, keeper
        self.environment = dict(os.environ)
        """Variables as the user set them, before any :class:`Configure`."""
        self.background = BackgroundList(workspace.emit)
        self._lock = threading.RLock()
        self._model: object = None
        self._made: dict[object, Any] = {}
        self._turns: dict[type[AnyQuestion], Turns] = {}

    def answer(self, wish: AnyQuestion) -> None:
        """Reply a question."""
        with self._telling_errors(wish):
            if wish.arrives:
                function(wish.arrives)(self, wish)
            if wish.newest:
                self._turns.setdefault(type(wish), Turns()).take(partial(self._tell, wish))
            else:
                self._tell(wish)

    def kept(self, make: Callable[[Desk], T]) -> T:
        """Return what ``make`` made for the opened input; make it now if it is not there."""
        with self._lock:
            if self._model is not self.workspace.model:
                self._model, self._made = self.workspace.model, {}
            if make not in self._made:
                self._made[make] = make(self)
            found: T = self._made[make]
            return found

    def _tell(self, wish: AnyQuestion) -> None:
        with self._telling_errors(wish):
            found = function(wish.by)(self, wish)
            for event in (found,) if isinstance(found, Event) else found:
                self.workspace.emit(replace(event, request=wish.request) if isinstance(event, Reply) else event)

    @contextmanager
    def _telling_errors(self, wish: AnyQuestion) -> Iterator[None]:
        try:
            yield
        except Exception as error:
            self.workspace.emit(Failed(wish.name, told(error), wish.request))


def function(name: str) -> Callable[[Desk, AnyQuestion], Told]:
    """Return the function of this folder that a question names."""
    module, _, inner = name.rpartition(".")
    found: Callable[[Desk, AnyQuestion], Told] = getattr(import_module(f"core.service.queries.{module}"), inner)
    return found


class Turns:
    """Wishes of one kind, carried out one at a time. A wish that waits is replaced by a newer one."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: Callable[[], None] | None = None
        self._busy = False

    def take(self, wish: Callable[[], None]) -> None:
        """Carry out the wish and those that arrive meanwhile, or leave the wish to the busy thread."""
        with self._lock:
            self._waiting = wish
            if self._busy:
                return
            self._busy = True
        while (wanted := self._next()) is not None:
            wanted()

    def _next(self) -> Callable[[], None] | None:
        with self._lock:
            wanted, self._waiting = self._waiting, None
            self._busy = wanted is not None
            return wanted
