"""Shows the failures that were seen, and what came of the reductions for each."""

from __future__ import annotations

from PySide6.QtWidgets import QTabWidget

from app.engine.run_state import RunState
from app.engine.runs import same_check
from app.panels.form.run_form import RunForm
from app.panels.lists.failure_list import FailureList, FailureRow
from app.window.bug_queue import BugQueue
from core.protocol.settings import Settings
from core.protocol.wording import tells_other

_STALE = "The settings have changed since the check that found these failures. Run the check again."

OF_LIBRARY = "none: of a missing library"
"""Words in place of a reduced jar, for a failure that is no bug."""


class FailurePresenter:
    """A presenter that fills the list of failures, its tab's title and the form's choice."""

    def __init__(self, form: RunForm, failures: FailureList, tabs: QTabWidget, queue: BugQueue) -> None:
        self._form, self._failures, self._tabs, self._queue = form, failures, tabs, queue

    def show_state(self, state: RunState) -> None:
        """Show the failures of this input."""
        settings = self._form.settings()
        rows = failure_rows(state, self._queue.results, settings.also_interesting)
        self._failures.show_rows(rows, self._form.names_failures, "" if holds(state, settings) else _STALE)
        self._form.offer_failures([row.name for row in rows])
        self._tabs.setTabText(self._tabs.indexOf(self._failures), failures_title(state))


def holds(state: RunState, settings: Settings) -> bool:
    """Return True if the findings of the last check hold for these settings. The choice of wanted failures does not
    matter."""
    checked = state.checked_settings
    return checked is None or same_check(checked, settings)


def failures_title(state: RunState) -> str:
    """Return ``Failures (11)``, those of the input; with others that probes met ``Failures (11 + 7 new)``."""
    new = sum(bool(probe) for probe in state.met.values())
    parts = [str(number) for number in (len(state.met) - new,) if number] + ([f"{new} new"] if new else [])
    return f"Failures ({' + '.join(parts)})" if parts else "Failures"


def failure_rows(state: RunState, results: dict[str, str], other_code: int | None) -> list[FailureRow]:
    """Return a row per failure: those that were seen, then those that only have a ``result`` of the queue.

    ``other_code`` is the exit code that tells of another failure, which cannot be reduced for.
    """
    made = dict.fromkeys(state.checked.of_libraries, OF_LIBRARY) if state.checked is not None else {}
    made |= {one["failure"]: one["jar"] for one in state.finished.report["others"]} if state.finished else {}
    seen = [
        FailureRow(
            name,
            f"run {probe}" if probe else "in the input",
            results.get(name) or made.get(name, ""),
            not tells_other(name, other_code),
        )
        for name, probe in state.met.items()
    ]
    return seen + [FailureRow(name, "", words) for name, words in results.items() if name not in state.met]
