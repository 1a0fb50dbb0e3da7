"""The run panel: the form of a run, its buttons, its progress."""

from __future__ import annotations

import time

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QLabel, QWidget

from app import text
from app.engine.run_state import EngineState, RunState
from app.panels.form.best_card import BestCard
from app.panels.form.run_form import RunForm
from app.panels.progress.question_view import question_words, state_words, trial_words
from app.widgets import STRETCH, TOP, button, column_of, made, row_of, scrolled
from app.words import END_WORDS, plain
from core.protocol import events

_TICK_MS = 500
_STATUS_LINES = 5
"""Height of the progress, in lines; further lines are scrolled to."""
_WARNINGS = 3
"""Number of warnings that are shown at the end of a run."""


class RunPanel(QWidget):
    """The form, the buttons, a sentence on the progress, and the best candidate so far."""

    without_wanted = Signal(str)
    """The reduction is to go on without the failure that holds its best: the demand on failures, as the engine reads
    it."""

    def __init__(self) -> None:
        super().__init__()
        self.form = RunForm()
        self.best = BestCard()
        self.stale = False
        """True if the settings of the form differ from those of the last check."""
        self._about = ""
        self._state = RunState()
        self._since = 0.0
        self._clock = made(QTimer(self), interval=_TICK_MS, timeout=self._tick)
        self.status = made(
            QLabel(),
            wordWrap=True,
            alignment=TOP,
            textInteractionFlags=Qt.TextInteractionFlag.TextSelectableByMouse,
            accessibleName="Status",
        )
        self.check = button("&Check", "Run the command on the whole jar (Ctrl+K)")
        self.start = made(button("&Start", "Start the reduction (Ctrl+R)"), primary=True)
        self.pause = button("P&ause", "Start no new run until you resume (Ctrl+P)")
        self.stop = button("St&op", "End now and keep the smallest so far (Ctrl+.)")
        self.without = button("Leave this &failure out", "", self._leave_out)
        inner = QWidget()
        column_of(self.form, STRETCH, owner=inner, margins=(12, 2, 12, 2))
        scroll = scrolled(inner, "Settings of the reduction")
        said = scrolled(self.status, "Progress of the reduction")
        said.setFixedHeight(_STATUS_LINES * self.status.fontMetrics().lineSpacing() + 4)
        foot = made(QWidget(), foot=True, attribute=Qt.WidgetAttribute.WA_StyledBackground)
        # Parts that come and go stand above the card; all below it has a fixed height, and keeps its place.
        column_of(
            self.without,
            self.best,
            said,
            row_of(self.check, self.start, self.pause, self.stop, spacing=6),
            owner=foot,
            margins=(12, 6, 12, 8),
            spacing=8,
        )
        column_of((scroll, 1), foot, owner=self, spacing=0)
        self.setMinimumWidth(270)

    def show_phase(self, state: RunState) -> None:
        """Enable the buttons that work now, and show the progress."""
        phase = state.phase
        ready = phase is EngineState.READY
        focused = any(part.hasFocus() for part in (self, self.check, self.start, self.pause, self.stop))
        if focused:  # a button that is disabled would give the keyboard to another panel
            self.setFocus()
        self.form.set_phase(busy=phase.busy, paused=phase is EngineState.PAUSED)
        self.check.setEnabled(ready)
        self.start.setEnabled(ready)
        self.pause.setEnabled(phase in (EngineState.RUNNING, EngineState.PAUSED))
        self.pause.setText("Resume" if phase is EngineState.PAUSED else "P&ause")
        self.pause.setAccessibleName(self.pause.text().replace("&", ""))
        self.stop.setEnabled(phase.busy and phase is not EngineState.STOPPING)
        for one in (self.check, self.start):
            one.setVisible(not phase.busy)
        self.pause.setVisible(phase.reducing)
        self.stop.setVisible(phase.busy)
        if focused:  # the keyboard stays in this row
            (self.pause if phase.reducing else self.stop if phase.busy else self.start).setFocus()
        self.show_progress(state)

    def show_progress(self, state: RunState) -> None:
        """Show the sentence and the figures of the model."""
        self._state = state
        busy = state.phase in (EngineState.CHECKING, EngineState.RUNNING, EngineState.STOPPING)
        if busy != self._clock.isActive():
            self._clock.start() if busy else self._clock.stop()
            self._since = time.monotonic()
        self.best.show_state(state)
        holds = state.stalled is not None and bool(state.stalled.demand) and state.phase.reducing
        self.without.setVisible(holds)
        if holds and state.stalled is not None:
            self.without.setToolTip(f"Stop, and choose for the next reduction: each kind but {state.stalled.holds}")
        self._tick()

    def show_about(self, words: str) -> None:
        """Show before the progress which of several reductions goes on; an empty text if it is the only one."""
        self._about = words
        self.status.setToolTip(words)
        self._tick()

    def _words(self, state: RunState) -> str:
        if not self._about:
            return self._sentence(state)
        room, cut = self.status.width(), Qt.TextElideMode.ElideRight
        about = self.status.fontMetrics().elidedText(self._about, cut, room)
        return f"{about}\n{self._sentence(state)}" if state.phase.reducing else f"{self._about}."

    def _sentence(self, state: RunState) -> str:
        match state.phase:
            case EngineState.EMPTY:
                return "Open a jar to begin."
            case EngineState.LOADING:
                return "Reading the jar…"
            case EngineState.CHECKING:
                return self._checking(state)
            case EngineState.PAUSED:
                return "Paused. Change algorithm, limits and pins now; “Resume” goes on from the smallest so far."
            case EngineState.STOPPING:
                return "Stopping…"
            case EngineState.DEAD:
                return "The engine is not running. Start it again in the message below."
            case EngineState.RUNNING:
                return self._question(state)
        if isinstance(state.outcome, events.Finished):
            number = state.runs[-1].number if state.runs else 1
            how = END_WORDS.get(state.outcome.reason, "has ended")
            return "\n".join([f"Reduction {number} {how}.", *state.warnings[:_WARNINGS]])
        if state.outcome is not None and self.stale:
            return "The settings have changed since the last check."
        if state.outcome is not None:
            return self._checked(state.outcome)
        return "Ready. “Check” runs the command on the whole jar; “Start” checks, then reduces."

    def _question(self, state: RunState) -> str:
        if not state.steps:
            return self._checking(state)
        if state.replaying:
            return f"Replaying {text.counted(state.replayed, 'answer')} of earlier runs."
        now = time.monotonic()
        rest = text.time_left(*state.left, now - state.left_told)
        last = ". ".join(filter(None, [probe_words(state, now), text.capital(rest)]))
        words = [state_words(state), last, question_words(state.question)]  # the last one may be scrolled to
        sentence = ".\n".join(filter(None, words)) or f"Looking for evidence: {self._passed()} so far"
        stalled = [stalled_words(state.stalled)] if state.stalled is not None else []
        return "\n".join([f"{sentence}.", *stalled, *state.warnings[-1:]])

    def _checking(self, state: RunState) -> str:
        """Return which run of the check goes on, and since when."""
        so_far = f"Checking the whole jar: {self._passed()} so far."
        return f"{so_far}\n{checking_words(state)}".rstrip()

    def _leave_out(self) -> None:
        if self._state.stalled is not None:
            self.without_wanted.emit(self._state.stalled.demand)

    def _passed(self) -> str:
        passed = text.seconds(max(1.0, time.monotonic() - self._since))
        return passed.replace(" ", "\N{NO-BREAK SPACE}")

    def _tick(self) -> None:
        """Count the time on between two events of the engine."""
        self.status.setText(plain(self._words(self._state)))

    def _checked(self, event: events.Checked) -> str:
        """Return a short sentence on the check. The message below has the whole diagnosis."""
        if event.interesting and event.stable:
            does = "runs the same" if self._state.must_run else "fails"
            return f"Checked: it {does} each time. A run takes {text.seconds(event.seconds)}."
        if event.verdict == "timed out":
            return "Checked: a run took too long."
        return "Checked: not stable." if event.interesting or not event.stable else "Checked: it does not fail."


def checking_words(state: RunState) -> str:
    """Return a sentence on the run of the check that goes on; empty before the first."""
    if not state.checking:
        return ""
    run, since = state.checking[-1]
    took = text.seconds(max(1.0, time.monotonic() - since))
    return f"Run {run.part} of {run.parts}, whether {run.proves}: for {took}."


def stalled_words(event: events.Stalled) -> str:
    """Return sentences on a stalled search, and on the user's choices."""
    said = f"Nothing smaller for {text.counted(event.probes, 'run')}."
    if 2 * event.timed_out > event.probes:
        return f"{said} {text.count(event.timed_out)} were killed for their time: a longer timeout per run may help."
    if event.holds:
        others = "had all other kinds" if event.together else "at most had each other kind alone"
        return f"{said} {event.holds} holds it: {text.size(event.enough)} {others} of failures."
    if event.failures > 1 and event.strict:
        return f"{said} Each failure must stay as often as now: one of each kind may need less."
    if event.failures > 1:
        return f"{said} {event.failures} kinds of failures must stay: one alone may need less."
    return f"{said} “Stop” keeps the smallest so far."


def probe_words(state: RunState, now: float) -> str:
    """Return words on the probe that has run longest, with its time from a second on; an empty text if none runs."""
    lanes = [lane for lane in state.lanes.values() if lane.trial is not None]
    if not lanes:
        return ""
    lane = min(lanes, key=lambda lane: lane.since)
    assert lane.trial is not None
    more = f", beside {text.counted(len(lanes) - 1, 'other')}" if lanes[1:] else ""
    took = f": for {text.seconds(now - lane.since)}" if now - lane.since >= 1 else ""
    words = trial_words(lane.trial)
    return f"{text.capital(words)}{more}{took}"
