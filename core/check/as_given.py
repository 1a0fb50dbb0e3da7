"""The run of the input as given, for comparison with a run of the jar that Jarlet writes.

The predicate may look at the file itself (its size, digest or times), and Jarlet writes another file. Or the given file
fails for another reason.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from core.archive.entry_names import MARK
from core.archive.jar import Jar
from core.archive.packer import Packer
from core.check.check_state import CheckState
from core.errors import InputError
from core.predicate.places import JAR
from core.predicate.predicate import Calibration, CommandPredicate, Predicate
from core.predicate.verdict import Outcome
from core.system.thread_call import ThreadCall

AFTER = 4.0
"""Seconds of the first run after which the run as given begins beside it. In its first seconds a virtual machine
keeps all processors busy with compiling: a second one would only slow both down.
See decisions/028-check-beside-the-search.md.
"""


class AsGiven(Packer):
    """A packer that writes the user's own files, by their names, for any entries."""

    def __init__(self, own: Mapping[str, bytes]) -> None:
        super().__init__()
        self._own = own

    def folded(self, entries: Iterable[tuple[str, bytes]]) -> list[tuple[str, bytes]]:
        return [(name, self._own.get(name, data)) for name, data in super().folded(entries)]

    def file(self, name: str, entries: Iterable[tuple[str, bytes]]) -> list[bytes]:
        return [self._own[name]] if name in self._own else super().file(name, entries)

    def pack(self, entries: Iterable[tuple[str, bytes]]) -> list[bytes]:
        return [self._own[JAR]] if JAR in self._own else super().pack(entries)


def given_predicate(jar: Jar, predicate: Predicate) -> Predicate | None:
    """Return the predicate that runs the user's own files in the places of candidates. Return None if there are none,
    or for a preset with opened jars, since its tool does not look into these. Raise InputError.
    """
    if any(MARK in entry.name for entry in jar.entries) and not isinstance(predicate, CommandPredicate):
        return None
    own: dict[str, bytes] = {}
    for each in jar.inputs:
        with InputError.telling(f"{each.path}: cannot be read"):
            data = each.own()
        if data is not None:
            own[each.name if jar.is_class_path else JAR] = data
    return predicate.repacked(AsGiven(own)) if own else None


def run_as_given(state: CheckState, predicate: Predicate) -> Calibration | None:
    """Run the input as given by ``predicate``; return None where :func:`given_predicate` does."""
    own = given_predicate(state.model.jar, predicate)
    if own is None:
        return None
    with state.folder("given") as work:
        return own.calibrated(state.entries, work, state.context.cancel)


def begin_early(state: CheckState) -> None:
    """Begin the run as given in a thread of its own, unless the first run is over within :data:`AFTER` seconds."""
    predicate, over = state.predicate, state.first_over

    def run() -> Calibration | None:
        return None if over.wait(AFTER) or state.cancelled else run_as_given(state, predicate)

    state.early = ThreadCall("early", run)


def given_text(jar: Jar, given: Outcome, written: Outcome, different: str) -> str:
    """Return sentences that compare the run of the input as given with the run of Jarlet's own jar of it.

    ``different``: the difference between two interesting runs; empty if they fail alike.
    """
    if not written.interesting:
        what = (
            "The command seems to look at the file itself: its size, its digest, the times or the order of its entries."
        )
        return (
            f"The full input is interesting as it was given ({given.detail}), but not as Jarlet writes it "
            f"({written.detail}). {what} Jarlet writes every candidate anew: the same names and contents in the same "
            "order, all times 1980, compressed in its own way. Let the command look at the entries only."
            + (" The input is signed, and its signature may be what is looked at." if jar.is_signed else "")
        )
    if not given.interesting:
        return (
            f"as it was given it is not interesting ({given.detail}), only as Jarlet writes it: the failure may come "
            "from the writing. Does the command look at the file itself, or change its answer?"
        )
    if different:
        return (
            f"as it was given it fails for another reason: {different}. The reduction would be for what fails as "
            "Jarlet writes it; --match with a part of the output keeps it on one of them."
        )
    return "The file as given is interesting too, so the way in which Jarlet writes jars does not matter."
