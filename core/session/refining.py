"""Models below the class, as the settings wish; that of the input itself can be built while something else waits."""

from __future__ import annotations

import threading

from core.jar.archive import Jar
from core.jar.library import Library, open_library
from core.model.detailed import Detailed, load_or_build
from core.model.stored import default_folder
from core.search.catalogue import Level, find
from core.session.settings import Settings


class _GivenUpError(Exception):
    """Nobody wants the model any more."""


class Refiner:
    """Builds models for one reduction after another of the input ``origin``. Used by one thread.

    ``build_ahead`` makes the model of the input in a thread of its own, if the reduction starts with that: the check of
    the input, which comes first, mostly waits for the predicate. ``give_up`` ends it if nobody has asked for it yet.
    """

    def __init__(self, settings: Settings, origin: Jar) -> None:
        self._settings = settings
        self._origin = origin
        self._library: Library | None = None
        self._ahead: threading.Thread | None = None
        self._found: Detailed | None = None
        self._wanted = threading.Event()
        self._given_up = threading.Event()

    def __call__(self, jar: Jar) -> Detailed:
        """The model of a jar; that of the input is kept on disk."""
        self.finish()
        found, self._found = self._found, None
        return found if found is not None and jar is self._origin else self._build(jar)

    def build_ahead(self) -> None:
        """To be called once at most."""
        first = next(phase.level for _, phase in find(self._settings.algorithm).plan)
        if first is Level.ITEMS and not self._settings.drop_first:
            # a daemon: a program that ends must not wait for it
            self._ahead = threading.Thread(target=self._keep_origin, name="model", daemon=True)
            self._ahead.start()

    def finish(self) -> None:
        """Waits until the model of the input is there, if it is built ahead."""
        self._wanted.set()
        if self._ahead is not None:
            self._ahead.join()
            self._ahead = None

    def give_up(self) -> None:
        """No model will be asked for."""
        self._given_up.set()

    def _keep_origin(self) -> None:
        try:
            self._found = found = self._build(self._origin)
            while not self._wanted.is_set() and not self._given_up.is_set() and found.get_ready():
                pass
        except Exception:  # it comes again when the model is asked for, and is told then
            self._found = None

    def _build(self, jar: Jar) -> Detailed:
        settings = self._settings
        self._library = self._library or open_library(settings.class_path)
        cache = default_folder() if jar is self._origin else None
        return load_or_build(
            jar, self._library, settings.granularity, settings.validity, cache=cache, progress=self._progress
        )

    def _progress(self, done: int, total: int) -> None:
        if self._given_up.is_set():
            raise _GivenUpError
