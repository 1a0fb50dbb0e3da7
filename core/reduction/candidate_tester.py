"""What the driver must know of the input and the predicate, and how a source of candidates and a command give it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from threading import Event as Flag
from typing import TYPE_CHECKING, Protocol

from core.archive.content import content_key, digest_of
from core.entries import Entries
from core.predicate.predicate import discard
from core.predicate.verdict import Outcome
from core.reduction.probing.workers import Job
from core.reduction.sources.source import Source
from core.sets import ItemSet

if TYPE_CHECKING:
    from core.predicate.predicate import Predicate

_HASHED = 128 << 20
"""Most bytes of entries whose digests are kept, with the entries: this, or twice those of all items."""


Confirm = Callable[[Entries, Path, Flag], Outcome]
"""``confirm(entries, work, cancel)``: the outcome of a run that shares no process with any other."""


class CandidateTester(Protocol):
    """Items by number, what a choice of them is written as, and the predicate. Used by the driver's thread alone;
    only the jobs that :meth:`prepare` gives run elsewhere, several at once."""

    count: int
    """Number of items."""
    shown_count: int
    """Number of items of the window's numbering."""

    def key(self, items: ItemSet) -> bytes:
        """Hash of what would be written: equal keys mean equal candidates, whichever tester gave them."""

    def prepare(self, items: ItemSet, number: int, afresh: bool = False) -> Job:
        """Makes the candidate and gives the job that runs the predicate on it as probe ``number``.

        ``afresh``: the run shares no process with any other, as the user would repeat it by hand.
        """

    def pack(self, items: ItemSet) -> None:
        """Makes the candidate, so that :meth:`prepare` and its job have less to do."""

    def classes_of(self, items: ItemSet) -> int:
        """Number of classes kept."""

    def bytes_of(self, items: ItemSet) -> int:
        """Bytes kept, in the same measure whichever tester says it."""

    def shown(self, items: ItemSet) -> ItemSet:
        """The items in the numbering of the window."""


class SourceTester:
    """Writes a candidate's entries and runs the predicate on them, each in a folder of its own.

    ``shown_count`` is the number of items that the window shows, by default as many as the source has. ``confirm``
    runs a confirmation, by default the predicate itself.
    """

    def __init__(
        self,
        source: Source,
        predicate: Predicate,
        folder: Path,
        shown_count: int | None = None,
        confirm: Confirm | None = None,
    ) -> None:
        self.source = source
        self.count = source.count
        self.shown_count = source.count if shown_count is None else shown_count
        self._predicate = predicate
        self._confirm = confirm or predicate.confirm
        self._folder = folder
        self._digests: dict[bytes, bytes] = {}
        self._hashed = 0

    def key(self, items: ItemSet) -> bytes:
        """Digest of the names and contents that the candidate would be written with."""
        return content_key(self.source.entries(items), self._digest)

    def prepare(self, items: ItemSet, number: int, afresh: bool = False) -> Job:
        """The entries are made and packed here, so that threads do not get in each other's way (a thread that lets go
        of the interpreter to compress a class gets it back after 5 ms if others want it); writing and running them is
        the job's."""
        self.pack(items)
        entries = self.source.entries(items)
        work = self._folder / f"probe-{number:05d}"

        def job(cancel: Flag, seconds: float | None) -> Outcome:
            try:
                if afresh:
                    return self._confirm(entries, work, cancel)
                return self._predicate.probe(entries, work, cancel, seconds)
            finally:
                discard(work)

        return job

    def pack(self, items: ItemSet) -> None:
        self._predicate.packer.learn(data for _, data in self.source.entries(items))

    def classes_of(self, items: ItemSet) -> int:
        return self.source.classes_of(items)

    def bytes_of(self, items: ItemSet) -> int:
        return self.source.bytes_of(items)

    def shown(self, items: ItemSet) -> ItemSet:
        return self.source.shown(items)

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
