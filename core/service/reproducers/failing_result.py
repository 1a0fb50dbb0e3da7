"""A finished result with the predicate that judges it: its Java source, or the assembler text in its place, as a
report has them too."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from threading import Event as Flag
from typing import Any

from core.assembler.jasm import all_without_lost, is_module, jasm, lost
from core.assembler.jcod import jcod
from core.classfile.format_error import ClassFormatError
from core.entries import Entries, RewrittenEntries, class_files, renaming_of
from core.errors import JarletError, NotInterestingError
from core.predicate.aim import Aim
from core.predicate.failures import Statement, Wanted
from core.predicate.predicate import Predicate
from core.predicate.verdict import Outcome
from core.recompile.source_maker import CompileWay, SourceMaker, SourceResult, recompiled
from core.system.work_folder import WorkFolder

_LIMIT = 120.0
"""Time limit of the run that shows the failure, in seconds, if the user set none."""
_LEAST = 10.0
"""Least time limit of a later run, in seconds."""

MOST = 60
"""Largest number of classes of a result whose source is looked for."""

_NO_TIME = {"sentence": "No Java source was looked for: no time was left for it."}


@dataclass(frozen=True)
class AssemblerText:
    """Assembler texts of the classes by their file names, and the attributes that jasm cannot write. ``lost``:
    attributes left out of the texts. ``needed``: attributes without which the failure is gone; then the texts are
    jcod."""

    texts: Mapping[str, str]
    lost: tuple[str, ...] = ()
    shows: bool = True
    """True if the class files that the texts stand for show the failure."""
    needed: tuple[str, ...] = ()


class FailingResult:
    """A result and its failure, as a run of it shows. Raises NotInterestingError where the run shows none.

    Close it: the predicate may hold processes.
    """

    def __init__(self, entries: Entries, aim: Aim, cancel: Flag) -> None:
        self.entries: Entries = [(name, data) for name, data in entries]
        self._cancel, self._runs = cancel, 0
        self._place = WorkFolder()  # resident processes have theirs in it
        self.library = aim.class_path
        self._predicate, self.outcome = self._calibrated(aim.predicate(_LIMIT))
        chosen = _chosen(aim, self.outcome, entries)
        if chosen is not None:  # by the names that they have in the result
            self._predicate.close()
            aim = aim.wanting(chosen)
            self._predicate, self.outcome = self._calibrated(aim.predicate(_LIMIT))
        if not self.outcome.interesting:
            self.close()
            raise NotInterestingError(f"The input does not show the failure: {self.outcome.detail}.")
        self._predicate = self._predicate.limited(aim.limits.seconds or max(_LEAST, 5 * self.outcome.seconds))

    def close(self) -> None:
        """End what the predicate holds."""
        self._predicate.close()
        self._place.close()

    def probe(self, entries: Entries, seconds: float) -> Outcome:
        """Return the outcome of a run of other entries, which takes at most so many seconds."""
        return self._predicate.probe(entries, self._work(), self._cancel, seconds)

    def confirm(self, entries: Entries) -> Outcome:
        """Return the outcome of a run of other entries that shares nothing with another run."""
        return self._predicate.confirm(entries, self._work(), self._cancel)

    def source(self, seconds: float) -> SourceResult:
        """Return the Java source of the result, or what was tried in vain in this time."""
        return SourceMaker(self.entries, self, self.library, seconds, self._cancel).run()

    def shows(self, entries: Entries) -> bool:
        """Return True if other entries show the failure."""
        return self.confirm(entries).interesting

    def compiled(self, texts: Mapping[str, str], way: CompileWay) -> Entries:
        """Return the class files of sources, compiled in a way; none where the compiler refuses them."""
        classes = recompiled(texts, way, self.library, self._cancel)
        return [(f"{name}.class", data) for name, data in classes.items()]

    def assembler(self, entries: Entries) -> AssemblerText:
        """Return the classes of some entries as jasm, or as jcod if the failure needs more than jasm can write."""
        classes = [(name, data) for name, data in entries if name.endswith(".class")]
        missing = tuple(sorted({each for _, data in classes for each in lost(data)}))
        said = RewrittenEntries(all_without_lost(entries), renaming_of(entries))
        shown = self.shows(said)
        if shown or not missing:
            return AssemblerText(_texts(classes, ".jasm"), missing, shown)
        return AssemblerText(_texts(classes, ".jcod"), needed=missing, shows=self.shows(entries))

    def _calibrated(self, predicate: Predicate) -> tuple[Predicate, Outcome]:
        return predicate.calibrated(self.entries, self._work(), self._cancel)

    def _work(self) -> Path:
        """Return a folder for a run, which is not there yet."""
        self._runs += 1
        return self._place.path / f"run-{self._runs}"


def _texts(classes: Entries, ending: str) -> dict[str, str]:
    texts = {}
    for name, data in classes:
        text = _jasm(data) if ending == ".jasm" else None
        own, text = (".jcod", jcod(data)) if text is None else (".jasm", text)
        texts[name.removesuffix(".class") + own] = text
    return texts


def _jasm(data: bytes) -> str | None:
    """Return the jasm of a class; None for a module, and for a class with an attribute that is damaged."""
    try:
        return None if is_module(data) else jasm(data)
    except ClassFormatError:
        return None


def _chosen(aim: Aim, outcome: Outcome, entries: Entries) -> Wanted | None:
    """Return the wish for chosen failures in the names of a rewritten result; None where no name changed."""
    wanted, renaming = aim.demand, renaming_of(entries)
    if wanted is None or wanted.statement is not Statement.CHOSEN or not renaming.classes:
        return None
    known = set(wanted.chosen)
    names = [name for name in outcome.failures if set(renaming.read_back([name], wanted.chosen)) & known]
    return Wanted(Statement.CHOSEN, tuple(names)) if names and set(names) != known else None


def source_report(entries: Entries, aim: Aim, seconds: float, cancel: Flag) -> dict[str, Any]:
    """Return the findings about the source of a result, as a JSON object; the reason alone if no search was possible.
    ``cancel`` ends the search."""
    classes = len(class_files(entries))
    if not 0 < classes <= MOST:
        return {"sentence": f"No Java source was looked for: the result has {classes} classes, of at most {MOST}."}
    if cancel.is_set():
        return _NO_TIME
    try:
        with closing(FailingResult(entries, aim, cancel)) as result:
            found = result.source(seconds)
            text = None if found.found is not None or cancel.is_set() else result.assembler(result.entries)
            return told(found, text)
    except JarletError as error:
        return _NO_TIME if cancel.is_set() else {"sentence": f"No Java source was found: {error}"}


def told(result: SourceResult, text: AssemblerText | None) -> dict[str, Any]:
    """Return a search's result as a JSON object."""
    found = result.found
    known: dict[str, Any] = {
        "sentence": result.sentence,
        "verified": found is not None,
        "notes": list(result.notes),
        "runs": result.probes,
        "seconds": round(result.seconds, 1),
    }
    if found is not None:
        known |= {
            "decompiler": found.origin,
            "repaired": found.repaired,
            "compiler": found.way.compiler,
            "options": list(found.way.options),
            "files": {**found.texts, **{f"stubs/{path}": text for path, text in found.stubs.items()}},
        }
    elif text is not None:
        known |= {"assembler": dict(text.texts), "sentence": f"{result.sentence} {assembler_sentence(text)}"}
    return known


def assembler_sentence(text: AssemblerText) -> str:
    """Return a sentence on assembler texts."""
    kind = "jasm" if any(name.endswith(".jasm") for name in text.texts) else "jcod"
    words = f"In its place stands assembler text ({kind}, for OpenJDK's asmtools)"
    if not text.shows:
        return f"{words}; a run of it does not show the failure."
    if text.needed:
        return f"{words}: jasm cannot say {', '.join(text.needed)}, and without that the failure is gone."
    if text.lost:
        return f"{words}, without {', '.join(text.lost)}: the failure needs none of these."
    return f"{words}."
