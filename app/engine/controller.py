"""Between the engine and the panels: the run's model, the actions that are possible now, the messages for the user."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any, TypeVar

from PySide6.QtCore import QObject, Signal, SignalInstance, Slot

from app import text
from app.engine.client import EngineClient
from app.engine.event_decoder import Message
from app.engine.opened_jar import OpenedJar
from app.engine.run_state import EngineState, RunState
from app.engine.runs import StepSummary, key_of
from core.protocol import commands, events
from core.protocol.questions.choosing import (
    Configure,
    DiscardSession,
    Fetch,
    FetchAgent,
    ListAlgorithms,
    ListPresets,
    ListSessions,
)
from core.protocol.settings import Settings
from core.protocol.wire import Command, Question, Reply

E = TypeVar("E", bound=events.Event)
AnyQuestion = Question[Any]


class EventKind(QObject):
    """The signal of one type of events."""

    came = Signal(object)


class Controller(QObject):
    """The owner of the engine client and the model. Panels read ``state``, subscribe to the events that they want
    (:meth:`on`), and connect to its other signals."""

    phase_changed = Signal(EngineState)
    run_started = Signal()
    progressed = Signal()
    """The model took in events of the run: at most 30 times a second."""
    run_finished = Signal(events.Finished)
    run_failed = Signal(str)
    """A check or a reduction could not be carried out."""
    told = Signal(str, str)
    """A sentence for the user and how it is meant: ``info``, ``good``, ``warning`` or ``error``."""
    crashed = Signal(str)

    def __init__(self, client: EngineClient | None = None) -> None:
        super().__init__()
        self.client = client or EngineClient(parent=self)
        self.client.setParent(self)
        self.state = RunState()
        self.paths: list[str] = []
        self.nested = False
        """True if the jars inside the input are opened."""
        self.room: Callable[[], tuple[int, ...]] = tuple
        """Function that returns width and height of the graph in pixels, or nothing; set by the window."""
        self.session = ""
        """Folder of the session in which the run is kept; empty = none yet."""
        self._wishes: dict[str, commands.LayOut] = {}
        """Last request for each view."""
        self.tools: dict[str, str] = {}
        """Variables with the places of tools, for the engine."""
        self._next: tuple[Settings, StepSummary | None] | None = None
        """The changed search, to begin after the end of the stopped run."""
        self.restored_session: events.Restored | None = None
        """The session that was opened, until it runs."""
        self._left: tuple[str, events.Restored | None] = "", None
        """The session of the input that stays if the next one cannot be read."""
        self._kinds: dict[type, EventKind] = {}
        self._asked: dict[int, tuple[object, Callable[[Any], object], Callable[[str], object]]] = {}
        """For each waiting question: its class, or itself if no other one ends it, and the functions for an answer and
        an error."""
        self._requests = count(1)
        self.client.live.connect(self._live)
        self.client.told.connect(self._told)
        self.client.crashed.connect(self._crashed)
        self.on(events.Started).connect(self.progressed)
        self.on(events.Finished).connect(self._finished)
        self.on(events.Failed).connect(self._failed)
        self.on(events.SessionKept).connect(self._kept)

    def on(self, kind: type) -> SignalInstance:
        """Return the signal of each event of that type or a subtype, or of its decoded content, once the model has it.
        Answers to :meth:`ask` are left out."""
        return self._kinds.setdefault(kind, EventKind(self)).came

    @property
    def has_input(self) -> bool:
        """Return True if there is an input to ask about."""
        return self.state.jar.opened and self.state.phase not in (EngineState.LOADING, EngineState.DEAD)

    def ask(
        self,
        question: Question[E],
        on_answer: Callable[[E], object],
        on_problem: Callable[[str], object] | None = None,
        *,
        earlier: bool = False,
        each: bool = False,
    ) -> None:
        """Ask about the input. ``on_answer`` is called with each answer, until another question of the same class is
        asked or another input is opened. With ``earlier`` answers to earlier questions count too, until a later one is
        answered; with ``each`` every question is for itself. ``on_problem`` is called with an error; by default the
        user is told.
        """
        if not self.has_input:
            if on_problem is not None:
                on_problem("Open a jar first.")
            return
        if not (earlier or each):
            self.forget(type(question))
        number = next(self._requests)
        self._asked[number] = (question if each else type(question), on_answer, on_problem or self._tell_error)
        self.client.send(replace(question, request=number))

    def forget(self, *kinds: type[AnyQuestion]) -> None:
        """Drop the answers to questions of some classes that still come."""
        self._asked = {number: asked for number, asked in self._asked.items() if asked[0] not in kinds}

    # -- what the user may ask for ------------------------------------------------------

    def start_engine(self) -> None:
        """Start the engine, ask it for its algorithms and presets, and for interrupted sessions."""
        self.client.start()
        self.client.send(ListAlgorithms())
        self.client.send(Configure(self.tools))
        self.client.send(ListSessions())

    def configure(self, tools: dict[str, str]) -> None:
        """Tell the engine the places of tools: variables and paths, empty = to be searched for."""
        self.tools = tools
        if self.client.running:
            self.client.send(Configure(tools))

    def fetch(self, preset: str, options: dict[str, str]) -> None:
        """Get the missing tools of a preset with these settings; without a preset the agent for watched runs of the
        input."""
        self.client.send(Fetch(preset, options) if preset else FetchAgent())

    def open(self, paths: list[str], *, nested: bool = False) -> None:
        """Read jars, wars, zips or folders of classes as one input, with ``nested`` the jars inside them too."""
        if self.state.phase.busy:
            self.told.emit("Stop the reduction before opening another jar.", "warning")
            return
        missing = [path for path in paths if not Path(path).exists()]
        if missing:
            self.told.emit(f"There is no file {missing[0]}.", "error")
            return
        absolute = [str(Path(path).absolute()) for path in paths]
        self.nested = nested
        self._load(absolute, commands.Open(tuple(absolute), nested, self.room()))

    def open_session(self, path: str) -> None:
        """Read a session's input and settings, to go on with it."""
        if self.state.phase.busy:
            self.told.emit("Stop the reduction before opening a session.", "warning")
            return
        self._load([path], commands.OpenSession(path, self.room()))

    def _load(self, paths: list[str], command: Command) -> None:
        self._left = self.session, self.restored_session
        self.paths, self.session, self.restored_session = paths, "", None
        self._enter(EngineState.LOADING)
        self.client.send(command)

    def save_session(self, path: str) -> None:
        """Keep the session at a place of the user's choice from here on."""
        self.client.send(commands.SaveSession(path))

    def list_sessions(self) -> None:
        """Ask for the sessions that were interrupted or have ended."""
        if self.client.running:
            self.client.send(ListSessions())

    def discard_session(self, path: str) -> None:
        """Remove a session."""
        self.client.send(DiscardSession(path))

    def check(self, settings: Settings) -> None:
        """Run the command on the whole input."""
        if self.state.phase is EngineState.READY:
            self.state.begin_check(settings)
            self._enter(EngineState.CHECKING)
            self.client.send(commands.Check(settings))

    def reduce(self, settings: Settings, start: StepSummary | None = None) -> None:
        """Start a reduction; the engine checks first, unless the same check has just passed. ``start`` is the accepted
        step from which it goes on, by default the input."""
        self.begin(settings, key_of(start) if start is not None else commands.StepKey(), start)

    def begin(self, settings: Settings, start: commands.StepKey, step: StepSummary | None = None) -> None:
        """Start a reduction as :meth:`reduce` does, from the state that the engine knows as ``start``, and the window,
        if it knows the state, as ``step``.
        """
        if self.state.phase is EngineState.READY:
            self.restored_session = None
            self.state.begin_run(settings, step)
            self._enter(EngineState.RUNNING)
            self.run_started.emit()
            self.client.send(commands.Reduce(settings, start))

    def change(self, settings: Settings, start: StepSummary | None) -> None:
        """Go on with another way to search: from ``start``, the best so far, with the answers that there are."""
        if self.state.phase in (EngineState.RUNNING, EngineState.PAUSED):
            self._next = (settings, start)
            self.stop()

    def keep_settings(self, settings: Settings) -> None:
        """Keep the settings with which a reduction is resumed after a crash."""
        if self.state.phase.reducing:
            self.client.send(commands.KeepSettings(settings))

    def pause(self) -> None:
        """Start no new probe after the one under way."""
        if self.state.phase is EngineState.RUNNING:
            self._enter(EngineState.PAUSED)
            self.client.send(commands.Pause())

    def resume(self) -> None:
        """Go on."""
        if self.state.phase is EngineState.PAUSED:
            self._enter(EngineState.RUNNING)
            self.client.send(commands.Resume())

    def stop(self) -> None:
        """End the check or the reduction; the best so far stays."""
        if self.state.phase.busy:
            if self.state.phase.reducing:
                self._enter(EngineState.STOPPING)
            self.client.send(commands.Stop())

    def lay_out(self, wish: commands.LayOut) -> None:
        """Ask for places of a view."""
        if self.has_input:
            self._wishes[wish.view] = replace(wish, request=0)
            self.client.send(wish)

    def wish(self, view: str) -> commands.LayOut:
        """Return the last request for a view."""
        return self._wishes.get(view) or commands.LayOut(view)

    def restart(self, session: str = "") -> None:
        """Start a new engine after a crash and open the same input in it, or the session of the run."""
        self._enter(EngineState.EMPTY)
        self.session = ""
        self.start_engine()
        if session:
            self.open_session(session)
        elif self.paths:
            self.open(self.paths, nested=self.nested)

    def shut_down(self) -> None:
        """End the engine and everything it runs; a reduction under way can be gone on with later."""
        self.state.phase = EngineState.DEAD
        self.client.stop()

    # -- what the engine says -----------------------------------------------------------

    def _apply(self, message: Message) -> None:
        before = self.state.phase
        self.state.apply(message)
        if self.state.phase is not before:
            self.phase_changed.emit(self.state.phase)

    def _enter(self, phase: EngineState) -> None:
        self.state.phase = phase
        self.phase_changed.emit(phase)

    @Slot(object)
    def _told(self, message: Message) -> None:
        match message:
            case OpenedJar():
                self._wishes.clear()
                self._asked.clear()
            case events.Restored():
                self.paths, self.session = list(message.paths), message.path
                self.restored_session = message
            case events.SessionKept():
                self.session = message.path
            case events.Failed("open" | "open_session") if self.state.jar.opened:
                self.paths = list(self.state.jar.paths)
                self.session, self.restored_session = self._left
        self._apply(message)
        self._deliver(message)
        if isinstance(message, OpenedJar):
            self._warn(message)

    @Slot(list)
    def _live(self, batch: list[Message]) -> None:
        for message in batch:
            self.state.apply(message)
            self._deliver(message)
        self.progressed.emit()

    def _deliver(self, message: Message) -> None:
        if isinstance(message, Reply | events.Failed) and message.request:
            self._answer(message)
            return
        for kind in type(message).__mro__:
            if kind in self._kinds:
                self._kinds[kind].came.emit(message)

    def _answer(self, event: Reply | events.Failed) -> None:
        kind, on_answer, on_problem = self._asked.get(event.request, (Question, None, None))
        if on_answer is None or on_problem is None:
            return  # nobody wants it any more
        self._asked = {
            number: asked for number, asked in self._asked.items() if number >= event.request or asked[0] is not kind
        }
        if isinstance(event, Reply):
            on_answer(event)
        else:
            on_problem(event.message)

    def _tell_error(self, message: str) -> None:
        self.told.emit(message, "error")

    def _kept(self, event: events.SessionKept) -> None:
        if event.problem:
            self.told.emit(event.problem, "warning")

    def _warn(self, jar: OpenedJar) -> None:
        if jar.warnings:
            more = f" (and {len(jar.warnings) - 1} more)" if jar.warnings[1:] else ""
            self.told.emit(jar.warnings[0] + more, "warning")

    def _finished(self, event: events.Finished) -> None:
        self.progressed.emit()
        following, self._next = self._next, None
        if following is not None:
            self.reduce(*following)
        else:
            self.run_finished.emit(event)

    def _failed(self, event: events.Failed) -> None:
        self._tell_error(event.message)
        match event.command:
            case "check" | "reduce":
                self._next = None
                self.run_failed.emit(event.message)
            case "fetch" | "fetch_agent":
                self.client.send(ListPresets())

    @Slot(str)
    def _crashed(self, sentence: str) -> None:
        was_reducing = self.state.phase.reducing
        best = self.state.best()
        self._next = None
        self._enter(EngineState.DEAD)
        if was_reducing and len(self.state.steps) > 1:
            sentence += " " + f"The reduction had reached {text.classes(best.classes)}."
            if self.session:
                sentence += " " + f"It is kept in {self.session} and can go on."
        self.crashed.emit(sentence)
