"""Testers: the connection between the driver, the elements of an input, and a predicate."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from threading import Event as Flag
from typing import TYPE_CHECKING

from core.archive.selection import content_key, digest_of
from core.entries import Entries
from core.predicate.predicate import discard
from core.predicate.verdict import Outcome
from core.reduction.elements import Elements
from core.reduction.probing.workers import Job
from core.sets import ItemSet

if TYPE_CHECKING:
    from core.predicate.predicate import Predicate

_HASHED = 128 << 20
"""Least limit, in bytes, of the entries whose digests are kept. The limit is twice the bytes of all items if that is
more. See decisions/031-memory-of-a-search.md."""

PROBE = "probe-"
"""Beginning of the names of the folders of probes."""

Confirm = Callable[[Entries, Path, Flag], Outcome]
"""``confirm(entries, work, cancel)``: the outcome of a run that shares no process with any other."""


class CandidateTester:
    """The elements of an input with the predicate: a tester writes the entries of a candidate and runs the predicate on
    them, each candidate in a folder of its own. Only the driver's thread uses a tester; the jobs of :meth:`prepare` run
    elsewhere, several at once.

    ``shown_count``: number of items in the window's numbering. ``confirm``: runs a confirmation. ``hurried``: gives the
    predicate of a probe its limits of processor time.
    """

    def __init__(
        self,
        elements: Elements,
        predicate: Predicate,
        folder: Path,
        shown_count: int,
        confirm: Confirm,
        hurried: Callable[[Predicate], Predicate],
    ) -> None:
        self.elements = elements
        self.count = elements.count
        self.shown_count = shown_count
        self._predicate = predicate
        self._confirm = confirm
        self._hurried = hurried
        self._folder = folder
        self._digests: dict[bytes, bytes] = {}
        self._hashed = 0

    def key(self, items: ItemSet) -> bytes:
        """Return the digest of the names and contents of the candidate's entries, equal for equal content."""
        return content_key(self.elements.entries(items), self._digest)

    def prepare(self, items: ItemSet, number: int, afresh: bool = False) -> Job:
        """Make and pack the entries; return the job that writes them and runs the predicate as probe ``number``.
        ``afresh``: the run shares no process with any other, as if the user repeated the run by hand.

        Entries are packed here, and not by the job, because packing threads would hold up each other: a thread that
        releases the interpreter to compress a class gets the interpreter back after 5 ms if other threads want it.
        """
        self.pack(items)
        entries = self.elements.entries(items)
        work, predicate = self._folder / f"{PROBE}{number:05d}", self._hurried(self._predicate)

        def job(cancel: Flag, seconds: float | None) -> Outcome:
            try:
                if afresh:
                    return self._confirm(entries, work, cancel)
                return predicate.probe(entries, work, cancel, seconds)
            finally:
                discard(work)

        return job

    def pack(self, items: ItemSet) -> None:
        """Make the candidate ahead, so that :meth:`prepare` and the job have less to do."""
        self._predicate.packer.learn(data for _, data in self.elements.entries(items))

    def classes_of(self, items: ItemSet) -> int:
        """Return the number of classes in ``items``."""
        return self.elements.classes_of(items)

    def bytes_of(self, items: ItemSet) -> int:
        """Return the bytes of ``items``. All testers of a reduction use one measure."""
        return self.elements.bytes_of(items)

    def shown(self, items: ItemSet) -> ItemSet:
        """Return ``items`` in the window's numbering."""
        return self.elements.shown(items)

    def named(self, items: ItemSet) -> list[str]:
        """Return the names of some items (``a/b/C.m:()V``)."""
        return self.elements.named(items)

    @cached_property
    def _most_hashed(self) -> int:
        return max(_HASHED, 2 * self.bytes_of((1 << self.count) - 1))

    def _digest(self, data: bytes) -> bytes:
        # a bytes object keeps its own hash, so looking up an untouched class file is cheap
        digest = self._digests.get(data)
        if digest is None:
            digest = digest_of(data)
            self._hashed += len(data)
            if self._hashed > _HASHED and self._hashed > self._most_hashed:
                self._digests.clear()
                self._hashed = len(data)
            self._digests[data] = digest
        return digest
