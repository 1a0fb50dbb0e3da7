"""Resident processes of a reduction, started before the rest of the program is loaded.

No import of this module loads the model or the algorithms.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from pathlib import Path

from core.archive.entry_names import EntryKind, kind_of
from core.archive.named_inputs import InputJar, find
from core.archive.zips import peek
from core.errors import JarletError
from core.predicate.aim import Aim
from core.predicate.jvm.process_pool import ProcessPool
from core.predicate.predicate import FIRST_TIMEOUT, Predicate
from core.protocol.settings import Settings
from core.service.aims import aim_of
from core.system.work_folder import WorkFolder

MakePredicate = Callable[[Aim, float | None, ProcessPool | None], Predicate]
"""Function that returns the predicate of an aim; its other arguments are a default time limit and the resident
processes."""


class HeadStart:
    """The folder for temporary files, the resident processes, and a predicate prepared for a later call.

    ``work`` is the parent of the folder; ``make`` makes predicates. Raises OutputError if the folder cannot be made.
    """

    def __init__(self, work: Path | None, make: MakePredicate = Aim.predicate) -> None:
        self.work = WorkFolder(work)
        self._make, self.shelf = make, ProcessPool(self.work.path)
        self._ready: tuple[Aim, Predicate] | None = None
        self._closed = False

    def expect(self, settings: Settings, inputs: Sequence[str] = (), *, merge: bool = False) -> None:
        """Start the resident processes for a reduction of ``inputs``; with ``merge`` they are one jar."""
        found: tuple[InputJar, ...] = ()
        with contextlib.suppress(JarletError):  # told when it is read
            found = find(inputs)
        seen = list(peek([str(each.path) for each in found]))
        if any(kind_of(name) is EntryKind.NESTED for name, _ in seen):
            return  # the libraries are known when the input is read
        with contextlib.suppress(JarletError):  # told when it is wanted
            aim = aim_of(settings, () if merge and len(found) > 1 else found, seen)
            self._ready = aim, self.predicate(aim)

    def predicate(self, aim: Aim) -> Predicate:
        """Return the predicate prepared for this aim, once; else a new one, whose resident processes are started."""
        ready, self._ready = self._ready, None
        if ready is not None and ready[0] == aim:
            return ready[1]
        predicate = self._make(aim, FIRST_TIMEOUT, self.shelf)
        predicate.start(self.work.path)
        return predicate

    def close(self) -> str:
        """End resident processes and remove the temporary files. Return a sentence on the files that cannot be removed.
        A second call does nothing."""
        if self._closed:
            return ""
        self._closed = True
        self.shelf.close()
        return self.work.close()
