"""What the driver must know of the input and the predicate, and how a source of candidates and a command give it."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path
from threading import Event as Flag
from typing import TYPE_CHECKING, Protocol

from core.predicate.predicate import discard
from core.predicate.verdict import Outcome
from core.reduction.workers import Job
from core.search.spaces.class_spaces import ItemSet

if TYPE_CHECKING:
    from core.predicate.predicate import Predicate

_REMEMBERED = 32
"""Candidates whose entries are at hand: each is asked for its key and size, and prepared when a worker is free."""
_HASHED = 128 << 20
"""Most bytes of entries whose digests are kept, with the entries."""


class CandidateTester(Protocol):
    """Items by number, what a choice of them is written as, and the predicate. Used by the driver's thread alone;
    only the jobs that :meth:`prepare` gives run elsewhere, several at once."""

    count: int
    """Number of items."""
    shown_count: int
    """Number of items of the window's numbering."""

    def key(self, items: ItemSet) -> bytes:
        """Hash of what would be written: equal keys mean equal candidates, whichever judge gave them."""

    def prepare(self, items: ItemSet, number: int, afresh: bool = False) -> Job:
        """Makes the candidate and gives the job that runs the predicate on it as probe ``number``.

        ``afresh``: the run shares no process with any other, as the user would repeat it by hand.
        """

    def pack(self, items: ItemSet) -> None:
        """Makes the candidate, so that :meth:`prepare` and its job have less to do."""

    def get_ready(self) -> bool:
        """Does a little of what the making of candidates needs (some milliseconds); False where all is done."""

    def expect(self, items: ItemSet) -> None:
        """A search may end with these. Returns at once."""

    def classes_of(self, items: ItemSet) -> int:
        """Number of classes kept."""

    def bytes_of(self, items: ItemSet) -> int:
        """Bytes kept, in the same measure whichever judge says it."""

    def shown(self, items: ItemSet) -> ItemSet:
        """The items in the numbering of the window."""


class Written(Protocol):
    """What :class:`SourceTester` must know of the candidates: see :class:`core.reduction.sources.source.Source`."""

    count: int

    def entries(self, kept: ItemSet) -> Sequence[tuple[str, bytes]]:
        """Names and contents of the entries to write."""

    def get_ready(self) -> bool:
        """Does a little of what writing needs; False where all is done."""

    def expect(self, kept: ItemSet) -> None:
        """The next source may be of these. Returns at once."""

    def classes_of(self, kept: ItemSet) -> int:
        """Number of classes kept."""

    def bytes_of(self, kept: ItemSet) -> int:
        """Unpacked bytes kept."""

    def shown(self, kept: ItemSet) -> ItemSet:
        """The items in the numbering of the window."""


class SourceTester:
    """Writes a candidate's entries and asks the predicate about them, each in a folder of its own.

    ``shown_count`` is the number of items that the window shows, by default as many as the source has. ``cancel``
    ends what :meth:`probe` runs outside a driver.
    """

    def __init__(
        self,
        source: Written,
        predicate: Predicate,
        folder: Path,
        shown_count: int | None = None,
        cancel: Flag | None = None,
    ) -> None:
        self.source = source
        self.count = source.count
        self.shown_count = source.count if shown_count is None else shown_count
        self._predicate = predicate
        self._folder = folder
        self._cancel = cancel
        self._digests: dict[bytes, bytes] = {}
        self._hashed = 0
        self._made: OrderedDict[ItemSet, Sequence[tuple[str, bytes]]] = OrderedDict()

    def key(self, items: ItemSet) -> bytes:
        """Digest of the names and contents that the candidate would be written with."""
        digest = hashlib.blake2b(digest_size=20)
        for name, data in self._entries(items):
            digest.update(name.encode("utf-8", "surrogateescape") + b"\0" + self._digest(data))
        return digest.digest()

    def prepare(self, items: ItemSet, number: int, afresh: bool = False) -> Job:
        """The entries are made and packed here, so that threads do not get in each other's way (a thread that lets go
        of the interpreter to compress a class gets it back after 5 ms if others want it); writing and running them is
        the job's."""
        self.pack(items)
        entries = self._entries(items)
        work = self._folder / f"probe-{number:05d}"

        def job(cancel: Flag, seconds: float | None) -> Outcome:
            try:
                if afresh:
                    return self._predicate.confirm(entries, work, cancel)
                return self._predicate.probe(entries, work, cancel, seconds)
            finally:
                discard(work)

        return job

    def pack(self, items: ItemSet) -> None:
        self._predicate.packer.learn(data for _, data in self._entries(items))

    def get_ready(self) -> bool:
        return self.source.get_ready()

    def expect(self, items: ItemSet) -> None:
        self.source.expect(items)

    def probe(self, items: ItemSet, number: int, seconds: float | None = None, cancel: Flag | None = None) -> Outcome:
        """Runs the predicate here and now, outside a driver."""
        return self.prepare(items, number)(cancel or self._cancel or Flag(), seconds)

    def classes_of(self, items: ItemSet) -> int:
        return self.source.classes_of(items)

    def bytes_of(self, items: ItemSet) -> int:
        return self.source.bytes_of(items)

    def shown(self, items: ItemSet) -> ItemSet:
        return self.source.shown(items)

    def _entries(self, items: ItemSet) -> Sequence[tuple[str, bytes]]:
        entries = self._made.get(items)
        if entries is None:
            if len(self._made) >= _REMEMBERED:
                self._made.popitem(last=False)
            entries = self._made[items] = self.source.entries(items)
        return entries

    def _digest(self, data: bytes) -> bytes:
        # a bytes object keeps its own hash, so looking up an untouched class file is cheap
        digest = self._digests.get(data)
        if digest is None:
            digest = hashlib.blake2b(data, digest_size=20).digest()
            self._hashed += len(data)
            if self._hashed > _HASHED:
                self._digests.clear()
                self._hashed = len(data)
            self._digests[data] = digest
        return digest
