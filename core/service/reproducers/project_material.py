"""The parts of a test of a project, and the words that all projects share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class TestMaterial:
    """The parts of a test: the failing class, the files, and how they become class files."""

    main: str
    """Internal name of the class that fails, as it is in the project."""
    sources: Mapping[str, str]
    """Java sources by their paths; empty where there is assembler text."""
    assembler: Mapping[str, str]
    """Assembler texts by the paths of the class files with another ending."""
    classes: tuple[str, ...]
    """Internal names of all classes, nested ones too."""
    release: int
    debug: bool
    issue: str
    failures: tuple[str, ...]
    predicate: str
    """The preset or the command, in words."""
    others: tuple[str, ...] = ()
    """Internal names of the classes that fail besides ``main``."""

    @property
    def failing(self) -> tuple[str, ...]:
        """Internal names of the classes that fail, ``main`` first."""
        return (self.main, *self.others)

    @property
    def simple(self) -> str:
        """The simple name of the failing class."""
        return self.main.rpartition("/")[2]

    @property
    def companions(self) -> list[str]:
        """Simple names of the other top-level classes."""
        return self.beside(self.main)

    def beside(self, failing: str) -> list[str]:
        """Return the simple names of the top-level classes but one."""
        names = dict.fromkeys(map(simple, self.classes))
        return [name for name in names if name != simple(failing)]

    @property
    def class_files(self) -> list[str]:
        """Paths of the class files, that of the failing class first."""
        return [f"{name}.class" for name in (self.main, *(each for each in self.classes if each != self.main))]


@dataclass(frozen=True)
class TestFiles:
    """The files of a test by their paths in the project, and the remaining steps for the user."""

    files: Mapping[str, str]
    steps: tuple[str, ...]
    """Sentences and lines of code, in the order in which they are followed."""


def simple(name: str) -> str:
    """Return the simple name of a class, or of the class around it, by an internal name."""
    return name.rpartition("/")[2].partition("$")[0]


def set_of(release: int, sets: Sequence[int]) -> int:
    """Return the release of the first of a project's sets that takes sources of a release, else the last one."""
    return next((each for each in sets if each >= release), sets[-1])


def below(folder: str, files: Mapping[str, str]) -> dict[str, str]:
    """Return files in a folder."""
    return {f"{folder}/{path}": text for path, text in files.items()}


def flags(of: TestMaterial) -> str:
    """Return the command that compiles the sources, without their names."""
    return f"javac --release {of.release} {'-g' if of.debug else '-g:none'}"


def number(of: TestMaterial) -> str:
    """Return the instruction to fill in the number of the issue; empty if the user gave one."""
    return f"Give it the number of the issue in the place of {of.issue}." if set(of.issue) == {"0"} else ""


def summary(of: TestMaterial) -> str:
    """Return the failure in one line of a comment."""
    return " ".join(next(iter(of.failures), of.predicate).split())[:100].replace("*/", "")
