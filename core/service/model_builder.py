"""Models below the class, for the settings of a reduction; their preparation during other waits."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial

from core.archive.entry_names import opened_jar
from core.archive.jar import Jar
from core.cancellation import cancellation_point, cancelled_by
from core.entries import Entries
from core.errors import InputError
from core.evidence.validity import ValidityChoice, expected
from core.library.library import Library, open_library
from core.library.skim import LibraryClass
from core.model.building import load_or_build
from core.model.cache.class_files import ClassFileCache
from core.model.cache.stored_models import default_folder
from core.model.item_model import ItemModel
from core.model.model_settings import ModelSettings
from core.plan.catalogue import find
from core.predicate.aim import Aim
from core.reduction.elements import jar_of, large
from core.search.phases import Level
from core.search.reducers.binary import JARS
from core.service.meaning import begins_with_evidence
from core.system.budget import refuse_if_model_too_large


class _GivenUpError(Exception):
    """The end of work on a model that is no longer needed."""


class ModelBuilder:
    """A builder of models for the reductions of the input ``origin``, one after another. Only one thread uses a
    builder.

    The check of the input mostly waits for the predicate. Meanwhile ``prepare`` starts a thread. The thread makes the
    model if the search starts with it; if the search needs a model later, the thread reads the classes. ``finish`` ends
    the thread. A search that begins with whole classes continues the preparation by ``step``; before this search ends,
    ``expect`` starts a thread for the next model. After ``give_up`` no model is asked for.
    """

    def __init__(self, aim: Aim, origin: Jar) -> None:
        self._aim = aim
        self._origin = origin
        self._large = large(origin)
        self._library: Library | None = None
        self.validity = expected(aim)
        """The validity of the models."""
        self._known = ClassFileCache(aim.search.granularity)
        self._thread: threading.Thread | None = None
        self._found: tuple[Jar, ItemModel] | None = None
        self._wanted = threading.Event()
        self._given_up = threading.Event()
        one = len({opened_jar(entry.name) for entry in origin.entries}) < 2
        levels = [phase.level for phase in find(aim.search.algorithm).phases if phase is not JARS or not one]
        early = begins_with_evidence(aim) and aim.search.granularity != "class" and not self._large
        self._first = (levels[0] is Level.ITEMS or early) and not aim.search.drop_first
        """True if the search starts with the model of the input."""
        self._later = Level.ITEMS in levels and aim.search.granularity != "class"
        self._read, self._steps = origin, self._preparations(origin)

    def __call__(self, jar: Jar) -> ItemModel:
        """Return the model of a jar; the model of the input is cached on disk."""
        self.finish()
        found, self._found = self._found, None
        model = found[1] if found and (found[0] is jar or found[0].entries == jar.entries) else self._build(jar)
        self._known.keep_only(jar)  # no later model is of more
        self._steps = iter(())
        return model

    def lend(self, jar: Jar) -> ItemModel:
        """Return the model of a jar that will be asked for again."""
        model = self(jar)
        self._found = jar, model
        return model

    def prepare(self) -> None:
        """Start the preparation, at most once. Raises InputError if the model of the input would not fit into
        memory.
        """
        if self._first:
            self._refuse(self._origin)
        if self._first or (self._later and not self._large):
            self._start(self._prepare)

    def settle(self, choice: ValidityChoice) -> None:
        """Set the validity of later models. A model in the making for another validity is dropped."""
        if choice.taken != self.validity.taken and self._thread is not None:
            self._given_up.set()
            self.finish()
            self._given_up.clear()
            self._found = None
        self.validity = choice

    def expect(self, entries: Entries) -> None:
        """Start a thread that makes the model of these entries, unless a thread is at work: they may be the next
        model's.
        """
        if self._later and not self._busy:
            jar = jar_of(entries, self._origin)
            if large(jar):
                return
            self.finish()
            self._start(partial(self._make, jar))

    def finish(self) -> None:
        """Wait until the model in the making is finished."""
        self._wanted.set()
        while self._thread is not None:
            self._thread.join(0.05)
            cancellation_point()
            if not self._busy:
                self._thread = None

    def give_up(self) -> None:
        self._given_up.set()

    def step(self, jar: Jar) -> bool:
        """Do some milliseconds of preparation for models of a jar and its parts. Return False if all is done, or if a
        thread is at work. A large input is not prepared, but what a search has left of it is.
        """
        if self._busy:
            return False
        if jar is not self._read:
            self._read, self._steps = jar, self._preparations(jar)
        return next(self._steps, False)

    @property
    def _busy(self) -> bool:
        return self._thread is not None and self._thread.is_alive()

    def _start(self, work: Callable[[], object]) -> None:
        def run() -> None:
            # an error comes again when the model is asked for, and is reported then
            with suppress(Exception), cancelled_by(self._go_on):
                work()

        self._wanted.clear()
        # a daemon: a program that ends must not wait for it
        self._thread = threading.Thread(target=run, name="model", daemon=True)
        self._thread.start()

    def _prepare(self) -> None:
        """Make the model if the search starts with it, then prepare later needs until the model is asked for."""
        steps = self._make(self._origin).preparation() if self._first else self._steps
        while not self._wanted.is_set() and not self._given_up.is_set() and next(steps, False):
            pass

    def _make(self, jar: Jar) -> ItemModel:
        model = self._build(jar)
        self._found = jar, model
        return model

    def _preparations(self, jar: Jar) -> Iterator[bool]:
        """Prepare one class per step, for searches over models that fit into memory."""
        known, classes = self._known, jar.classes()
        try:
            self._refuse(jar)
        except InputError:
            return
        if not self._later or (self._large and jar is self._origin):
            return
        for entry in classes:
            if known.read(entry, jar.entries[entry].data):
                yield True
        for entry in classes:
            if known.prepare(jar.entries[entry].data):
                yield True

    def library_class(self, name: str) -> LibraryClass | None:
        """Return a class from outside the input; None if there is none of this name."""
        return self._opened().get(name)

    def _opened(self) -> Library:
        """Return the libraries, with the JDK that is best for the input."""
        if self._library is None:
            self._library = open_library(self._aim.class_path, self._origin, self._aim.jdk)
        return self._library

    def _build(self, jar: Jar) -> ItemModel:
        self._refuse(jar)
        chosen = ModelSettings(self._opened(), self._aim.search.granularity, self.validity.taken, known=self._known)
        return load_or_build(jar, chosen, default_folder() if jar is self._origin else None)

    def _refuse(self, jar: Jar) -> None:
        """Raise InputError if the model would not fit into memory."""
        classes = jar.classes()
        refuse_if_model_too_large(jar.title, sum(len(jar.entries[entry].data) for entry in classes), len(classes))

    def _go_on(self) -> None:
        """Raise _GivenUpError once no model is needed any more."""
        if self._given_up.is_set():
            raise _GivenUpError
