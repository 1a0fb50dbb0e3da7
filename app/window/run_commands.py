"""The window's commands that concern the run: check, start, pause, stop, one jar a bug, steps."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from PySide6.QtWidgets import QFileDialog

from app import text
from app.engine.members import split
from app.engine.run_state import EngineState, StepSummary
from app.panels.lists.failure_list import FailureRow
from app.window.pins import unescaped
from app.window.view_commands import ViewCommands
from core.protocol import events
from core.protocol.places import inputs_folder
from core.protocol.settings import Settings
from core.protocol.wording import tells_other


class RunCommands(ViewCommands):
    """Slots of the table of actions and of the panels around the run."""

    _looked: tuple[StepSummary | None, StepSummary | None] = (None, None)
    """The steps that are looked at instead of the best so far."""
    _offers = ("", "")
    """The session that is being opened and what it runs: offered, with a button, once its jar is read."""

    # -- the run ------------------------------------------------------------------------

    def wanted(self) -> Settings:
        """What the panels say, pins included."""
        settings = self.run.form.settings()
        fine = settings.granularity
        return replace(settings, keep=tuple(self.pins.patterns(fine)), drop_first=tuple(self.pins.first_patterns(fine)))

    def check(self) -> None:
        """Run the command on the whole jar."""
        if self._can_run():
            self.controller.check(self.wanted())

    def start(self) -> None:
        """Start the reduction."""
        if self._can_run():
            self.steps.table.clearSelection()
            self.controller.reduce(self.wanted())

    def _can_run(self) -> bool:
        problem, field = self.run.form.problem()
        if problem:
            self.messages.tell(problem, "warning")
            self.run_dock.show()
            field.setFocus()
        return not problem

    def pause_or_resume(self) -> None:
        """The one button for both."""
        if self.controller.state.phase is EngineState.PAUSED:
            self.controller.resume()
        else:
            self.controller.pause()

    def stop(self) -> None:
        """End the check or the reduction."""
        self.controller.stop()

    def good_enough(self) -> None:
        """End the reduction and write its best as the result."""
        if self.controller.state.phase in (EngineState.RUNNING, EngineState.PAUSED):
            self._taking = not self.queue.current
            self.queue.taken = bool(self.queue.current)
            self.controller.stop()

    _taking = False

    # -- failures -----------------------------------------------------------------------

    def _show_failures(self) -> None:
        state = self.controller.state
        other = self.run.form.other_code
        kept = {one["failure"]: one["jar"] for one in state.finished.report["others"]} if state.finished else {}
        rows = [
            FailureRow(
                name,
                "in the input" if not probe else f"probe {probe}",
                self.queue.results.get(name) or kept.get(name, ""),
                not tells_other(name, other),
            )
            for name, probe in state.met.items()
        ]
        rows += [FailureRow(name, "", words) for name, words in self.queue.results.items() if name not in state.met]
        self.failures.show_rows(rows, self.run.form.names_failures)
        self.run.form.offer_failures([row.name for row in rows])
        words = f"Failures ({len(rows)})" if rows else "Failures"
        self.log_tabs.setTabText(self.log_tabs.indexOf(self.failures), words)

    def _keep_failure(self, name: str) -> None:
        self.run.form.choose_failure(name)
        self.run_dock.show()
        self.run_dock.raise_()
        self.messages.tell(f"The next reduction keeps this failure: {name}", "info")

    def _queue_failures(self, names: list[str]) -> None:
        """Each failure gets a reduction of its own; where to, the user says once."""
        if not self._can_run():
            return
        folder = QFileDialog.getExistingDirectory(self, "Where to write the jars", self._folder("export"))
        if folder:
            self._remember("export", str(Path(folder) / "x"))
            self.queue.add(names, self.wanted(), Path(folder))

    # -- steps --------------------------------------------------------------------------

    def _look_at_step(self, step: StepSummary | None, other: StepSummary | None) -> None:
        self._looked = (step, other)
        if step is not None and other is not None:
            self.controller.compare(step, other)
        self.show_states()

    def show_states(self) -> None:
        """The states of what is looked at: the best so far, a step, or what two steps differ in."""
        state = self.controller.state
        step, other = self._looked
        shown = state.states if state.steps else None
        counts = state.counts() if state.steps else None
        if step is not None and state.steps:
            shown = state.states_at(step) if other is None else state.states_between(step, other)
            counts = None
        self.graph.set_states(shown, counts, state.finished is not None and step is None)
        self.tree.set_states(shown)
        self.components.set_states(shown)

    def _go_on_from(self, step: StepSummary) -> None:
        jar = self.controller.state.jar
        if jar is None:
            return
        place = inputs_folder() / f"{Path(jar.title).stem}-step-{step.probe}-{step.bytes}.jar"
        self._opens = str(place)
        self.controller.export_step(step, str(place))

    _opens = ""
    """A file that is to be opened as soon as the engine has written it."""

    # -- sessions -----------------------------------------------------------------------

    def _left_open(self, found: events.Sessions) -> None:
        if not found.paths or self.controller.state.phase is not EngineState.EMPTY:
            return
        path, title = found.paths[0], found.titles[0]
        words = (
            f"A reduction of {title} was interrupted; its best so far is {text.size(found.bytes[0])}. Open it to go on?"
        )
        self.messages.tell(
            words,
            "info",
            "Open it",
            lambda: self.controller.open_session(path),
            "Discard it",
            lambda: self.controller.discard_session(path),
        )

    def _restored(self, event: events.Restored) -> None:
        settings = event.settings
        self.run.form.set_settings(settings)
        self._restored_pins = (list(settings.keep), list(settings.drop_first))
        self.run_dock.show()
        self.run_dock.raise_()
        words = (
            "Going on with this session runs, in {0}:\n{1}" if event.interrupted else "This session runs, in {0}:\n{1}"
        )
        self._offers = (event.path, words.format(event.folder, _command_words(settings)))

    def _offer_to_go_on(self) -> None:
        """The jar of a session is read: nothing runs before the user has seen the command and presses the button."""
        (path, words), self._offers = self._offers, ("", "")
        jar = self.controller.state.jar
        if path and path == self.controller.session and jar is not None:
            kind = "warning" if jar.warnings else "info"
            self.messages.tell("\n".join([*jar.warnings[:1], words]), kind, "Start", self.start)

    _restored_pins: tuple[list[str], list[str]] = ([], [])

    def _restore_pins(self) -> None:
        """Another jar: the pins are those of its session, if it comes with one."""
        (keep, first), self._restored_pins = self._restored_pins, ([], [])
        self.pins.set_names(map(unescaped, keep), map(unescaped, first))

    def _pins_lost(self) -> list[str]:
        """Pinned classes that the result does not have."""
        jar, state = self.controller.state.jar, self.controller.state
        if jar is None:
            return []
        gone = {jar.names[item] for item in range(jar.items) if state.states[item] == 3}
        return sorted({split(name)[0] for name in self.pins.names} & gone)


def _command_words(settings: Settings) -> str:
    """What is run, whole: the command, or the preset with all that is filled in."""
    text = settings.predicate
    if settings.preset:
        text = ", ".join([settings.preset, *(f"{name}={value}" for name, value in settings.options.items())])
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in text)
