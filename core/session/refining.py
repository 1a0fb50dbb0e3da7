"""Models below the class, as the settings wish; what they need of the input is found while something else waits."""

from __future__ import annotations

import threading
from collections.abc import Iterator

from core.jar.archive import Jar
from core.jar.library import Library, open_library
from core.model.detailed import Detailed, load_or_build
from core.model.known import Known
from core.model.stored import default_folder
from core.search.catalogue import Level, find
from core.session.settings import Settings


class _GivenUpError(Exception):
    """Nobody wants the model any more."""


class Refiner:
    """Builds models for the reductions of the input ``origin``, one after the other. Used by one thread.

    The check of the input mostly waits for the predicate: meanwhile ``begin`` has a thread of its own make the model,
    if the search starts with that, or read the classes if it comes to it later. ``finish`` ends the thread; a search
    that begins with whole classes goes on with ``get_ready``. ``give_up``: no model will be asked for any more.
    """

    def __init__(self, settings: Settings, origin: Jar) -> None:
        self._settings = settings
        self._origin = origin
        self._library: Library | None = None
        self._known = Known(settings.granularity)
        self._thread: threading.Thread | None = None
        self._found: Detailed | None = None
        self._wanted = threading.Event()
        self._given_up = threading.Event()
        levels = [phase.level for phase in find(settings.algorithm).phases]
        self._first = levels[0] is Level.ITEMS and not settings.drop_first
        """Whether the search starts with the model of the input."""
        self._later = Level.ITEMS in levels and settings.granularity != "class"
        self._steps = self._preparations()

    def __call__(self, jar: Jar) -> Detailed:
        """The model of a jar; that of the input is kept on disk."""
        self.finish()
        found, self._found = self._found, None
        if found is None or jar is not self._origin:
            found = self._build(jar)
        self._known.keep_only(jar)  # no later model is of more
        self._steps = iter(())
        return found

    def begin(self) -> None:
        """To be called once at most."""
        if self._first or self._later:
            # a daemon: a program that ends must not wait for it
            self._thread = threading.Thread(target=self._run, name="model", daemon=True)
            self._thread.start()

    def finish(self) -> None:
        """Waits until the model of the input is there, if the search starts with that."""
        self._wanted.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def give_up(self) -> None:
        self._given_up.set()

    def get_ready(self) -> bool:
        """Does a little of what models of the input need (some milliseconds); False where all is done."""
        return next(self._steps, False)

    def _run(self) -> None:
        try:
            ready = self.get_ready
            if self._first:
                self._found = self._build(self._origin)
                ready = self._found.get_ready
            while not self._wanted.is_set() and not self._given_up.is_set() and ready():
                pass
        except Exception:  # it comes again when the model is asked for, and is told then
            self._found = None

    def _preparations(self) -> Iterator[bool]:
        """One a step; nothing where the search does not come to models."""
        jar, known = self._origin, self._known
        classes = jar.classes() if self._later else ()
        for entry in classes:
            if known.read(entry, jar.entries[entry].data):
                yield True
        for entry in classes:
            if known.prepare(jar.entries[entry].data):
                yield True

    def _build(self, jar: Jar) -> Detailed:
        settings = self._settings
        self._library = self._library or open_library(settings.class_path)
        return load_or_build(
            jar,
            self._library,
            settings.granularity,
            settings.validity,
            cache=default_folder() if jar is self._origin else None,
            progress=self._progress,
            known=self._known,
        )

    def _progress(self, done: int, total: int) -> None:
        if self._given_up.is_set():
            raise _GivenUpError
