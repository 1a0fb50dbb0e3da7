"""The reduce menu: check, start, pause, stop; and reductions begun from the lists of the run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QTimer, Signal

from app import text
from app.engine.controller import Controller
from app.engine.run_state import EngineState
from app.engine.runs import is_done, same_failure, searching_as
from app.panels.form.run_form import RunForm
from app.panels.message_bar import MessageBar
from app.presenter import Presenter
from app.window.bug_queue import BugQueue
from app.window.commands.leaving import StartingDialog
from app.window.commands.named_files import FileChooser
from app.window.pins import Pins
from core.protocol import events
from core.protocol.commands import StepKey
from core.protocol.settings import Settings


class RunCommands(Presenter):
    """The commands that start and stop the engine's runs, with the settings of the form."""

    form_wanted = Signal()
    """The form has to be seen: something is missing there, or has changed."""
    result_wanted = Signal()
    """The reduction that was stopped has ended: its best is to be exported."""

    _controller: Controller
    _form: RunForm
    _pins: Pins
    _queue: BugQueue
    _chooser: FileChooser
    _messages: MessageBar

    def _set_up(self) -> None:
        self._result_used = False
        self.question: StartingDialog | None = None
        """Dialog of the last start."""

    def settings(self) -> Settings:
        """Return the settings in the form, with the pins."""
        settings = self._form.settings()
        running = self._controller.state.settings
        if self._controller.state.phase.reducing and running is not None:
            settings = searching_as(running, settings)  # the definition of the failure stays while a run goes on
        fine = settings.granularity
        return replace(
            settings, keep=tuple(self._pins.patterns(fine)), drop_first=tuple(self._pins.first_patterns(fine))
        )

    def check(self) -> None:
        """Run the command on the whole jar."""
        if self.complete():
            self.form_wanted.emit()
            self._controller.check(self.settings())

    def start_without(self) -> None:
        """Start the reduction although libraries are missing."""
        self._form.limits.fields["allow_missing"].write(True)
        self.start()

    def start(self) -> None:
        """Start the reduction; if there is a result for this failure, ask whether to go on from it."""
        controller = self._controller
        if not self.complete() or controller.state.phase is not EngineState.READY:
            return
        settings, state = self.settings(), controller.state
        restored = controller.restored_session
        step = state.smallest(settings, self._pinned_items())
        if restored is not None and same_failure(restored.settings, settings):
            start = StepKey(**restored.start) if restored.start else StepKey()
            if not restored.best or replace(settings, jobs=1) == replace(restored.settings, jobs=1):
                controller.begin(settings, start)  # the same run once more: its answers are replayed
                return
            best = StepKey(1, restored.best, 0)
            self._ask("that of the session", text.size(restored.best), lambda: controller.begin(settings, best))
        elif step is not None:
            size = f"{text.classes(step.classes)}, {text.size(step.bytes)}"
            done = is_done(state.runs, settings, step)
            self._ask(step.title, size, lambda: controller.reduce(settings, step), done)
        else:
            controller.reduce(settings)

    def _ask(self, earlier: str, size: str, go_on: Callable[[], object], done: bool = False) -> None:
        self.question = StartingDialog(earlier, size, self._form.window(), done)
        self.question.ask(go_on, lambda: self._controller.reduce(self.settings()))

    def _pinned_items(self) -> list[int]:
        numbers = self._controller.state.jar.numbers
        return sorted(numbers[name] for name in self._pins.owners() if name in numbers)

    def pause_or_resume(self) -> None:
        """Pause, or resume with the changes made meanwhile: one button does both."""
        if self._controller.state.phase is EngineState.PAUSED:
            if self.changed():
                self.apply_changes()
            else:
                self._controller.resume()
        else:
            self._controller.pause()

    def changed(self) -> bool:
        """Return True if form or pins ask for another search than the running one."""
        running = self._controller.state.settings
        return self._controller.state.phase.reducing and running is not None and self.settings() != running

    def apply_changes(self) -> None:
        """Go on from the best so far with the present form and pins."""
        if self._controller.state.phase in (EngineState.RUNNING, EngineState.PAUSED):
            settings = self.settings()
            self._controller.change(settings, self._controller.state.smallest(settings, self._pinned_items()))

    def keep_changes(self) -> None:
        """Keep the settings of form and pins for the resumption after a crash."""
        if self.changed():
            self._controller.keep_settings(self.settings())

    def stop(self) -> None:
        """End the check or the reduction."""
        self._controller.stop()

    def use_result(self) -> None:
        """End the reduction and export its best; in a queue, begin with the next one."""
        if self._controller.state.phase in (EngineState.RUNNING, EngineState.PAUSED):
            self._queue.taken = bool(self._queue.current)
            self._result_used = not self._queue.current
            self._controller.stop()

    def run_started(self) -> None:
        """Forget the requests about the last result: another reduction has begun."""
        self._result_used = False

    def run_finished(self) -> None:
        """Export the best, if that was asked for."""
        if self._result_used:
            self._result_used = False
            QTimer.singleShot(0, self.result_wanted.emit)

    def keep_failure(self, name: str) -> None:
        """Fill in the form: this failure is to stay."""
        self._form.failures.choose(name)
        self.form_wanted.emit()
        self._messages.tell(f"The next reduction keeps this failure: {name}", "info")

    def leave_out(self, demand: str) -> None:
        """End the reduction, and fill in the form: the next one may lose the failure that held this one."""
        self._controller.stop()
        self._form.failures.set_text(demand)
        self.form_wanted.emit()
        self._messages.tell("The reduction is being stopped. Start begins one without that failure.", "info")

    def queue_each(self, names: list[str]) -> None:
        """Reduce once for each kind of these failures that the input shows, but for those of a missing library."""
        checked, met = self._controller.state.checked, self._controller.state.met
        own = [name for name in names if not met.get(name)]
        bugs = [name for name in own if checked is None or name not in checked.of_libraries]
        if bugs:
            self.queue_failures(one_of_each_kind(bugs, checked))
        else:
            self._messages.tell("All failures come from a missing library: add it, and check again.", "warning")

    def queue_failures(self, names: list[str]) -> None:
        """Reduce once for each failure. The user names the place once."""
        if not self.complete():
            return
        name = f"{Path(self._controller.state.jar.title).stem}-bugs"
        folder = self._chooser.new_folder("New folder for the reduced jars", name)
        if not folder:
            return
        try:
            Path(folder).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            self._messages.tell(f"{folder}: the folder cannot be made ({error.strerror or error}).", "error")
            return
        self._queue.add(names, self.settings(), Path(folder))

    def complete(self) -> bool:
        """Return True if the form is complete; else tell the missing field."""
        problem, field = self._form.problem()
        if problem:
            self._messages.tell(problem, "warning", about="form")
            self.form_wanted.emit()
            field.setFocus()
        return not problem


def one_of_each_kind(names: list[str], checked: events.Checked | None) -> list[str]:
    """Return one failure of each kind in the last check: the one that probably needs least, else the first."""
    if checked is None or len(checked.kinds) != len(checked.failures):
        return names
    kinds = dict(zip(checked.failures, checked.kinds, strict=True))
    found: dict[object, str] = {}
    for name in sorted(names, key=lambda name: name != checked.suggested):
        found.setdefault(kinds.get(name, name), name)
    return [name for name in names if name in found.values()]
