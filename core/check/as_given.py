"""The run of the input as given, for comparison with a run of the jar that Jarlet writes.

The predicate may look at the file itself (its size, digest or times), and Jarlet writes another file. Or the given file
fails for another reason.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from threading import Event as Flag

from core.archive.jar import Jar
from core.archive.packer import Packer
from core.errors import InputError
from core.predicate.predicate import Calibration, Predicate
from core.predicate.verdict import Outcome
from core.reduction.control import Cancel
from core.system.thread_call import ThreadCall

AFTER = 4.0
"""Seconds of the first run after which the run as given begins beside it. In its first seconds a virtual machine
keeps all processors busy with compiling: a second one would only slow both down.
See decisions/028-check-beside-the-search.md.
"""


class AsGiven(Packer):
    """A packer that writes the input's own bytes for any entries."""

    def __init__(self, data: bytes) -> None:
        super().__init__()
        self._data = data

    def pack(self, entries: Iterable[tuple[str, bytes]]) -> list[bytes]:
        return [self._data]


class EarlyRun:
    """The call of ``run`` in a thread of its own, unless ``first_is_over`` is called within :data:`AFTER` seconds.

    ``run`` receives a flag that ends it: :meth:`end` sets the flag, and so does ``cancel``. Whoever makes an early run
    ends it.
    """

    def __init__(self, run: Callable[[Flag], Calibration | None], cancel: Flag) -> None:
        self._cancel, self._first_over = Cancel(cancel), Flag()
        self._call = ThreadCall("early", lambda: None if self._comes_too_late() else run(self._cancel))

    def first_is_over(self) -> None:
        """Prevent the run from beginning, unless it has begun."""
        self._first_over.set()

    def result(self) -> Calibration | None:
        """Wait for the run and return its result; None if it did not begin. Raise an error of the run."""
        self._first_over.set()
        return self._call.result()

    def end(self) -> None:
        """End the run, and wait until its thread has ended."""
        self._cancel.set()
        self._first_over.set()
        self._call.wait()

    def _comes_too_late(self) -> bool:
        return self._first_over.wait(AFTER) or self._cancel.is_set()


def given_predicate(jar: Jar, predicate: Predicate) -> Predicate | None:
    """Return the predicate that runs the input's own file; None if the input is not one file. Raise InputError."""
    if not jar.is_one_file:
        return None
    try:
        return predicate.repacked(AsGiven(jar.sources[0].read_bytes()))
    except OSError as error:
        raise InputError(f"{jar.sources[0]}: cannot be read ({error.strerror or error}).") from error


def given_text(jar: Jar, given: Outcome, written: Outcome, different: str) -> str:
    """Return sentences that compare the run of the input as given with that of the jar that Jarlet writes.

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
    return "The given file itself is interesting too."
