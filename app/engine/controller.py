"""Between the engine and the panels: the run's model, what may be done now, what to tell the user."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal, Slot

from app import text
from app.engine.client import EngineClient
from app.engine.event_decoder import Kept, Message
from app.engine.opened_jar import OpenedJar, Places
from app.engine.run_state import EngineState, RunState, StepSummary
from app.graph.scene.cells import Cells
from core.protocol import events

Settings = dict[str, Any]


class Controller(QObject):
    """Owns the engine client and the model. Panels connect to its signals and read ``state``."""

    phase_changed = Signal(EngineState)
    loading = Signal(int, int)
    opened = Signal(OpenedJar)
    placed = Signal(Places)
    crossed = Signal(Cells)
    algorithms = Signal(events.Algorithms)
    checked = Signal(events.Checked)
    run_started = Signal()
    progressed = Signal()
    """The model took in events of the run: at most 30 times a second."""
    run_finished = Signal(events.Finished)
    run_failed = Signal(str)
    """A check or a reduction could not be carried out."""
    exported = Signal(events.Exported)
    export_failed = Signal(str)
    answered = Signal(events.Event)
    """What was asked beside the run (:attr:`EngineClient.answered`)."""
    presets = Signal(events.Presets)
    restored = Signal(events.Restored)
    left_open = Signal(events.Sessions)
    compared = Signal(events.Compared)
    told = Signal(str, str)
    """A sentence for the user and how it is meant: ``info``, ``good``, ``warning`` or ``error``."""
    crashed = Signal(str)

    def __init__(self, client: EngineClient | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.client = client or EngineClient(parent=self)
        self.client.setParent(self)
        self.state = RunState()
        self.paths: list[str] = []
        self.session = ""
        """Folder of the session in which the run is kept; empty = none yet."""
        self._wishes: dict[str, dict[str, Any]] = {}
        """What each view was asked for last."""
        self.tools: dict[str, str] = {}
        """Variables that tell the engine where tools are."""
        engine = self.client
        engine.loading.connect(self._loading)
        engine.opened.connect(self._opened)
        engine.placed.connect(self._placed)
        engine.crossed.connect(self.crossed)
        engine.algorithms.connect(self.algorithms)
        engine.checked.connect(self._checked)
        engine.started.connect(self._started)
        engine.live.connect(self._live)
        engine.finished.connect(self._finished)
        engine.paused.connect(lambda: self._apply(events.Paused()))
        engine.resumed.connect(lambda: self._apply(events.Resumed()))
        engine.exported.connect(self.exported)
        engine.answered.connect(self._answered)
        engine.failed.connect(self._failed)
        engine.crashed.connect(self._crashed)

    # -- what the user may ask for ------------------------------------------------------

    def start_engine(self) -> None:
        """Start the engine, ask it for its algorithms and presets, and for what was interrupted."""
        self.client.start()
        self.client.send("algorithms")
        self.client.send("configure", variables=self.tools)
        self.client.send("sessions")

    def configure(self, tools: dict[str, str]) -> None:
        """Tell the engine where tools are: variables and paths, empty = wherever they are found."""
        self.tools = tools
        if self.client.running:
            self.client.send("configure", variables=tools)

    def fetch(self, preset: str) -> None:
        """Get the tools that a preset lacks."""
        self.client.send("fetch", preset=preset)

    def open(self, paths: list[str]) -> None:
        """Read jars, wars, zips or folders of classes as one input."""
        if self.state.phase.busy:
            self.told.emit("Stop the reduction before opening another jar.", "warning")
            return
        missing = [path for path in paths if not Path(path).exists()]
        if missing:
            self.told.emit(f"There is no file {missing[0]}.", "error")
            return
        self.paths = [str(Path(path).absolute()) for path in paths]
        self.session = ""
        self.state.loaded = (0, 0)
        self._enter(EngineState.LOADING)
        self.client.send("open", paths=self.paths)

    def open_session(self, path: str) -> None:
        """Read a session's input and settings, to go on with it."""
        if self.state.phase.busy:
            self.told.emit("Stop the reduction before opening a session.", "warning")
            return
        self.paths = [path]
        self.state.loaded = (0, 0)
        self._enter(EngineState.LOADING)
        self.client.send("open_session", path=path)

    def save_session(self, path: str) -> None:
        """Keep the session at a place of the user's choice from here on."""
        self.client.send("save_session", path=path)

    def discard_session(self, path: str) -> None:
        """Remove an interrupted session."""
        self.client.send("discard_session", path=path)

    def check(self, settings: Settings) -> None:
        """Run the command on the whole input."""
        if self.state.phase is EngineState.READY:
            self._enter(EngineState.CHECKING)
            self.client.send("check", settings=settings)

    def reduce(self, settings: Settings) -> None:
        """Start a reduction; the engine checks first."""
        if self.state.phase is EngineState.READY:
            self.state.reset()
            self._enter(EngineState.RUNNING)
            self.run_started.emit()
            self.client.send("reduce", settings=settings)

    def pause(self) -> None:
        """No new probe after the one under way."""
        if self.state.phase is EngineState.RUNNING:
            self._enter(EngineState.PAUSED)
            self.client.send("pause")

    def resume(self) -> None:
        """Go on."""
        if self.state.phase is EngineState.PAUSED:
            self._enter(EngineState.RUNNING)
            self.client.send("resume")

    def stop(self) -> None:
        """End the check or the reduction; the best so far stays."""
        if self.state.phase.busy:
            if self.state.phase.reducing:
                self._enter(EngineState.STOPPING)
            self.client.send("stop")

    def export(self, what: str, path: str) -> None:
        """Write the best so far (``jar``), data of the whole graph, or the report."""
        self.client.send("export", what=what, path=path)

    def export_view(self, view: str, what: str, path: str) -> None:
        """Write what a view shows, as a picture or a graph."""
        self.client.send("export", what=what, path=path, wish=self._wishes.get(view, {"view": view}))

    def export_step(self, step: StepSummary, path: str) -> None:
        """Write an accepted step as a jar."""
        self.client.send("export", what="step", path=path, step=_step(step))

    def compare(self, before: StepSummary, after: StepSummary) -> None:
        """Ask what differs between two accepted steps."""
        self.client.send("compare", before=_step(before), after=_step(after))

    def lay_out(self, wish: dict[str, Any]) -> None:
        """Ask for places of a view: the keys are those of :class:`core.service.queries.layouts.LayoutRequest`."""
        if self.state.jar is not None and self.state.phase not in (EngineState.LOADING, EngineState.DEAD):
            self._wishes[str(wish["view"])] = {key: value for key, value in wish.items() if key != "request"}
            self.client.send("layout", **wish)

    def restart(self, session: str = "") -> None:
        """Start a new engine after a crash and open the same input in it, or the session of the run."""
        self._enter(EngineState.EMPTY)
        self.session = ""
        self.start_engine()
        if session:
            self.open_session(session)
        elif self.paths:
            self.open(self.paths)

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

    @Slot(int, int)
    def _loading(self, done: int, total: int) -> None:
        self._apply(events.Loading(done, total))
        self.loading.emit(done, total)

    @Slot(OpenedJar)
    def _opened(self, jar: OpenedJar) -> None:
        self._wishes.clear()
        self._apply(jar)
        self.opened.emit(jar)
        if jar.warnings:
            more = f" (and {len(jar.warnings) - 1} more)" if jar.warnings[1:] else ""
            self.told.emit(jar.warnings[0] + more, "warning")

    @Slot(Places)
    def _placed(self, places: Places) -> None:
        self._apply(places)
        self.placed.emit(places)

    @Slot(events.Checked)
    def _checked(self, event: events.Checked) -> None:
        self._apply(event)
        self.checked.emit(event)

    @Slot(events.Started)
    def _started(self, event: events.Started) -> None:
        self._apply(event)
        self.progressed.emit()

    @Slot(list)
    def _live(self, batch: list[Message]) -> None:
        for message in batch:
            self.state.apply(message)
        self.progressed.emit()

    @Slot(Kept)
    def _finished(self, message: Kept) -> None:
        self._apply(message)
        self.progressed.emit()
        event = message.event
        assert isinstance(event, events.Finished)
        self.run_finished.emit(event)

    @Slot(events.Failed)
    def _failed(self, event: events.Failed) -> None:
        if event.command == "open" and self.state.jar is not None:
            self.paths = list(self.state.jar.sources)
        self._apply(event)
        self.told.emit(event.message, "error")
        if event.command in ("check", "reduce"):
            self.run_failed.emit(event.message)
        elif event.command == "export":
            self.export_failed.emit(event.message)
        elif event.command == "fetch":
            self.client.send("presets")

    @Slot(events.Event)
    def _answered(self, event: events.Event) -> None:
        match event:
            case events.Presets():
                self.presets.emit(event)
            case events.Restored():
                self.paths, self.session = list(event.sources), event.path
                self.restored.emit(event)
            case events.Keeping():
                self.session = event.path
                if event.problem:
                    self.told.emit(event.problem, "warning")
            case events.Sessions():
                self.left_open.emit(event)
            case events.Compared():
                self.compared.emit(event)
            case _:
                self.answered.emit(event)

    @Slot(str)
    def _crashed(self, sentence: str) -> None:
        was_reducing = self.state.phase.reducing
        best = self.state.best()
        self._enter(EngineState.DEAD)
        if was_reducing and len(self.state.steps) > 1:
            sentence += " " + "The reduction had come to {}.".format(text.plural(best.classes, "class", "classes"))
            if self.session:
                sentence += " " + f"It is kept in {self.session} and can go on."
        self.crashed.emit(sentence)


def _step(step: StepSummary) -> dict[str, int]:
    return {"probe": step.probe, "bytes": step.bytes, "items": step.items}
