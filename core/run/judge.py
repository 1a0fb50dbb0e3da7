"""Judges candidates of a model by a command predicate, each in a folder of its own."""

from __future__ import annotations

import hashlib
from pathlib import Path
from threading import Event as Flag

from core.model.items import Model
from core.predicate.predicate import CommandPredicate, discard
from core.predicate.verdict import Outcome
from core.search.spaces import ItemSet, Problem


def problem_of(model: Model) -> Problem:
    """The model as the algorithms see it."""
    return Problem(len(model.items), [item.bytes for item in model.items], model.closures, model.pinned)


class ModelJudge:
    """Writes a candidate's entries and asks the predicate about them."""

    def __init__(self, model: Model, problem: Problem, predicate: CommandPredicate, folder: Path, cancel: Flag) -> None:
        self.count = len(model.items)
        self._model = model
        self._problem = problem
        self._predicate = predicate
        self._folder = folder
        self._cancel = cancel
        self._digests: dict[bytes, bytes] = {}

    def key(self, items: ItemSet) -> bytes:
        """Digest of the names and contents that the candidate would be written with."""
        digest = hashlib.blake2b(digest_size=20)
        for name, data in self._model.entries(items):
            digest.update(name.encode("utf-8", "surrogateescape") + b"\0" + self._digest(data))
        return digest.digest()

    def probe(self, items: ItemSet, number: int, seconds: float | None = None) -> Outcome:
        work = self._folder / f"probe-{number:05d}"
        try:
            return self._predicate.probe(self._model.entries(items), work, self._cancel, seconds)
        finally:
            discard(work)

    def classes_of(self, items: ItemSet) -> int:
        return (items & self._model.class_items).bit_count()

    def bytes_of(self, items: ItemSet) -> int:
        return self._problem.bytes_of(items)

    def _digest(self, data: bytes) -> bytes:
        # a bytes object keeps its own hash, so looking up an untouched class file is cheap
        digest = self._digests.get(data)
        if digest is None:
            digest = self._digests[data] = hashlib.blake2b(data, digest_size=20).digest()
        return digest
