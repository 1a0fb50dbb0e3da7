"""A check alone or before a search: its runs, and the event that tells the user about them."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Sequence

from core.check.check_state import CheckState
from core.check.diagnosis import diagnosis, suggested_exit
from core.check.runs import CheckRun, perform
from core.evidence.failure import names_in
from core.evidence.kinds_of_failures import FoundKinds, found_kinds
from core.evidence.validity import departure
from core.predicate.predicate import discard
from core.protocol.events import Checked


def check(state: CheckState, order: Sequence[CheckRun]) -> Checked:
    """Make the runs of ``order`` on the full input. Return the event about them, which the state has from then on.

    If the last run is not interesting, its folder is moved out of the folder of all runs, so that the user can repeat
    the run by hand. It stays until three more checks have failed.
    """
    perform(order, state, state.context.emit)
    command = ""
    if state.interesting or state.cancelled:
        discard(state.work)
    else:
        command = state.keep_folder()
    state.checked = _checked(state, command)
    return state.checked


def _checked(state: CheckState, command: str) -> Checked:
    """Return the event about the check; ``command`` is a line that repeats an uninteresting last run."""
    outcomes, last, aim = state.outcomes, state.outcomes[-1], state.aim
    jobs = state.busy.jobs if state.wishes.advise and last.interesting else 0
    names = sorted(set(state.outcome.failures))
    missing = state.of_libraries.packages(names_in(last))
    seen = last.interesting and state.substitute is None
    reference = state.predicate.reference if seen else None
    found, counting = (
        found_kinds(state.model, aim.demand, reference, failures, state.of_libraries)
        for failures in (state.outcome.failures, aim.counted(state.outcome.failures))
    )
    return Checked(
        interesting=last.interesting,
        stable=last.interesting or (len(outcomes) == 1 and state.changed is None),
        runs=len(outcomes),
        seconds=statistics.median(outcome.seconds for outcome in outcomes),
        verdict=last.verdict.value,
        message=_message(state, counting),
        command=command,
        stdout=last.stdout,
        stderr=last.stderr,
        timeout=state.limit,
        failures=names,
        probes=len(state.seconds),
        spent=sum(state.seconds),
        counts=list(map(Counter(last.failures).__getitem__, names)) if state.substitute is None else [],
        kinds=list(map(found.numbers().__getitem__, names)) if found.kinds else [],
        costs=[kind.bytes for kind in found.kinds],
        suggested=counting.suggested,
        slowest=max(outcome.seconds for outcome in outcomes),
        empty=state.showed("empty"),
        doubts=state.warnings if last.interesting else [],
        missing=list(missing),
        missing_errors=list(missing.values()),
        errors=len(names_in(last)),
        of_libraries=[name for name in names if name in state.of_libraries.certain],
        exit=suggested_exit(last, aim),
        jobs=jobs,
    )


def _message(state: CheckState, found: FoundKinds) -> str:
    texts = [
        state.substitute.says if state.substitute is not None else "",
        diagnosis(state),
        state.aim.tools_text(state.entries),
        departure(state.aim, state.outcomes[-1]),
        found.text(options=state.context.options),
        state.adding,
    ]
    return " ".join(filter(None, texts))
