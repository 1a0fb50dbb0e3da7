"""The corpus (``corpus.toml``): jars of Debian whose decompiled sources do not compile; how to get them."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from core.errors import InputError, UsageError
from core.predicate.failures import Statement

LIST = Path(__file__).with_name("corpus.toml")

STRICT = Statement.SAME.value
"""Demand on failures in figures that are compared with papers: as often as on the full input, none more."""

STANDARD = "standard"
"""Names thirty cases, ten of each of three decompilers: jars of different origins, each with few failures."""

_TIMEOUT = 600.0
"""Seconds for one package."""


@dataclass(frozen=True)
class Subject:
    """A jar of the corpus. ``library``: path and package of each library that it uses; ``errors``: javac's, by preset,
    as they were once counted."""

    name: str
    package: str
    version: str
    path: str
    sha256: str
    classes: int
    class_bytes: int
    errors: Mapping[str, int] = field(default_factory=dict, hash=False)
    library: tuple[tuple[str, str], ...] = ()
    standard: tuple[str, ...] = ()
    """Presets whose cases are among those of :data:`STANDARD`."""


@dataclass(frozen=True)
class Case:
    """A jar and the preset that fails on it."""

    subject: Subject
    preset: str

    @property
    def name(self) -> str:
        """``gson-procyon``."""
        return f"{self.subject.name}-{self.preset}"

    @property
    def names(self) -> frozenset[str]:
        """Return the names by which the case can be chosen."""
        chosen = (STANDARD,) if self.preset in self.subject.standard else ()
        return frozenset((self.name, self.subject.name, *chosen))

    @property
    def weight(self) -> int:
        """Return the sort key of cases: bytes of the classes times errors."""
        return self.subject.class_bytes * self.subject.errors[self.preset]

    @property
    def label(self) -> tuple[str, str]:
        """Return the columns of the case in tables: the jar, and the decompiler."""
        return self.subject.name, self.preset

    def get(self, store: Store, folder: Path) -> list[str]:
        """Get the jars; nothing else has to be in the case's ``folder``. Raise InputError."""
        return store.get(self.subject)

    def asked(self, store: Store, folder: Path) -> dict[str, Any]:
        """Return the settings that describe the failure."""
        return {"preset": self.preset, "failures": STRICT}


def load() -> tuple[Subject, ...]:
    """Return the corpus as it is listed."""
    rows = tomllib.loads(LIST.read_text(encoding="utf-8"))["jar"]
    return tuple(
        Subject(**{**row, "library": tuple(map(tuple, library)), "standard": tuple(standard)})
        for row in rows
        for library, standard in [(row.pop("class_path", ()), row.pop("standard", ()))]
    )


def cases(names: Sequence[str] = (), presets: Sequence[str] = (), subjects: Iterable[Subject] = ()) -> list[Case]:
    """Return cases in order, light ones first. ``names`` are jars, cases, :data:`STANDARD`, or one number; empty: all.

    Raises UsageError for names and presets that the corpus does not have.
    """
    found = [Case(subject, preset) for subject in subjects or load() for preset in subject.errors]
    known = {case.preset for case in found}
    unknown = sorted(set(presets) - known)
    if unknown:
        raise UsageError(f"The corpus has no cases for {', '.join(unknown)}: choose among {', '.join(sorted(known))}.")
    found = sorted((case for case in found if not presets or case.preset in presets), key=lambda case: case.weight)
    if len(names) == 1 and names[0].isdigit():
        return found[: int(names[0])]
    for name in names:
        if all(name not in case.names for case in found):
            if name == STANDARD:
                raise UsageError(f"None of the standard cases is for {' or '.join(presets)}: name others (--cases).")
            jars = sorted({case.subject.name for case in found})
            raise UsageError(f"The corpus has no case {name!r}. Name jars or JAR-PRESET; the jars: {', '.join(jars)}.")
    return [case for case in found if not names or case.names & set(names)]


class Store:
    """The folder that the jars are unpacked in: ``debs`` as they were downloaded, ``root`` with what is in them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.root, self._debs = folder / "root", folder / "debs"

    def jar(self, subject: Subject) -> Path:
        """Return the path of a jar, which need not be there yet."""
        return self.root / subject.path

    def library(self, subject: Subject) -> list[Path]:
        """Return the paths of the libraries of a jar, which need not be there yet."""
        return self.places(subject.library)

    def places(self, jars: Iterable[tuple[str, str]]) -> list[Path]:
        """Return the paths of jars, by path and package, which need not be there yet."""
        return [self.root / path for path, _ in jars]

    def get(self, subject: Subject) -> list[str]:
        """Get the missing files of a jar and its libraries. Return notes on files that differ from the list. Raise
        InputError."""
        return list(self._get(subject))

    def get_all(self, jars: Iterable[tuple[str, str]]) -> None:
        """Get missing jars by path and package. Raise InputError."""
        for path, package in jars:
            if not (self.root / path).is_file():
                self.unpack(package)
            if not (self.root / path).is_file():
                raise InputError(f"The Debian package {package} has no file {path}: its version is another one.")

    def _get(self, subject: Subject) -> Iterator[str]:
        self.get_all(((subject.path, subject.package), *subject.library))
        found = hashlib.sha256(self.jar(subject).read_bytes()).hexdigest()
        if found != subject.sha256:
            version = self._version(subject.package)
            yield (
                f"{subject.name}: {subject.package} {version} is not the listed {subject.version} "
                f"(sha256 {found[:12]}, listed {subject.sha256[:12]})."
            )

    def _version(self, package: str) -> str:
        names = sorted(self._debs.glob(f"{package}_*.deb"))
        return names[-1].name.split("_")[1].replace("%3a", ":") if names else "of unknown version"

    def unpack(self, package: str) -> None:
        """Download and unpack a package. Raises InputError."""
        for program in ("apt-get", "dpkg"):
            if shutil.which(program) is None:
                raise InputError(f"The corpus comes from Debian's packages, and there is no {program} here.")
        try:
            for folder in (self._debs, self.root):
                folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"{self.folder}: cannot be made ({error.strerror or error}).") from error
        if not any(self._debs.glob(f"{package}_*.deb")):
            _run(["apt-get", "-qq", "-o", "APT::Sandbox::User=", "download", package], self._debs)
        for deb in sorted(self._debs.glob(f"{package}_*.deb"))[-1:]:
            _run(["dpkg", "-x", str(deb.resolve()), str(self.root.resolve())], self._debs)


def _run(words: list[str], folder: Path) -> None:
    environment = {**os.environ, "LC_ALL": "C.UTF-8"}
    try:
        done = subprocess.run(
            words, cwd=folder, env=environment, capture_output=True, text=True, timeout=_TIMEOUT, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise InputError(f"{' '.join(words)} did not end within {_TIMEOUT:.0f} s.") from error
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        raise InputError(
            f"{' '.join(words)} failed: {last} (Is there a network? 'apt-get update' may be needed first.)"
        )
