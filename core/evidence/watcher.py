"""Watched runs of an input. The session keeps their results, because a resumed search must ask the same questions
again.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event as Flag

from core.evidence.agents import UnusableError
from core.evidence.clues import Clues, kept_clues, write_clues
from core.evidence.running import watch
from core.model.class_model import ClassModel, Kind
from core.predicate.predicate import FIRST_TIMEOUT, Predicate, discard

ONLY_READS = "The preset only reads the input: nothing of it runs."

_SLOWER, _MORE = 5.0, 30.0
"""Time limit of a watched run: a multiple of the probes' time limit, plus a number of seconds.
See decisions/002-watching-again.md.
"""


@dataclass
class Watcher:
    """A runner of watched runs; ``cancel`` ends a run. ``store`` is the folder of the session.

    ``heard`` is called with the clues whenever more is known, ``begun`` before each run, and ``spent`` after it with
    one run and its seconds.
    """

    predicate: Predicate
    work: Path
    cancel: Flag
    store: Path | None = None
    heard: Callable[[Clues], None] = lambda clues: None
    begun: Callable[[], None] = lambda: None
    spent: Callable[[int, float], None] = lambda runs, seconds: None

    def kept(self, turn: int = 0) -> Clues | None:
        """Return the session's clues about the full input, or about the best at watched run number ``turn``; None if
        there are none.
        """
        return kept_clues(self.store, turn)

    def keep(self, clues: Clues, turn: int = 0) -> None:
        """Write clues to the session."""
        write_clues(self.store, clues, turn)

    def watch(self, model: ClassModel, known: Clues, records: str = "input", more: Predicate | None = None) -> Clues:
        """Run an input once. Return ``known`` with the code that ran, or with the reason why it is unknown. ``more``: a
        predicate of further inputs, which runs alone if there are ``records`` of the others."""
        start = time.monotonic()
        self.begun()
        names = [item.name for item in model.items if item.kind is Kind.CLASS]
        entries, folder = model.entries(model.full), self.work / "evidence" / records
        predicate = more if more and folder.is_dir() else self.predicate
        if predicate is self.predicate:
            discard(folder)
        try:
            limit = min(_SLOWER * (self.predicate.timeout or _MORE) + _MORE, FIRST_TIMEOUT)
            ran = watch(predicate, entries, names, folder, limit, self.cancel)
            return replace(known, ran=ran, problem="")
        except UnusableError as error:
            return replace(known, ran=None, problem=error.args[0], heard=error.args[1:])
        finally:
            self.spent(1, time.monotonic() - start)
