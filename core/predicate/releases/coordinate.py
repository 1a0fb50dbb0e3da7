"""Coordinates of jars in a Maven repository, their places in it, and the order of versions."""

from __future__ import annotations

import re
from dataclasses import astuple, dataclass
from pathlib import Path

from core.errors import InputError
from core.outside_names import inside


@dataclass(frozen=True)
class Coordinate:
    """The name of a jar in a Maven repository. Raises InputError for a part that cannot be the name of a file."""

    group: str
    artifact: str
    version: str
    classifier: str = ""

    def __post_init__(self) -> None:
        if not self.version or not all(part.isprintable() and ":" not in part for part in astuple(self)):
            raise InputError(f"{':'.join(astuple(self))!r} is no coordinate of a jar: GROUP:ARTIFACT:VERSION.")
        inside(Path(folder_of(self.group, self.artifact)), *filter(None, astuple(self)), self.file_name)

    @classmethod
    def parse(cls, text: str) -> Coordinate:
        """Return the coordinate that is written as ``group:artifact:version``, perhaps with ``:jar:classifier`` or
        ``:classifier``."""
        parts = [part for number, part in enumerate(text.split(":")) if number != 3 or part != "jar"]
        return cls(*(parts + [""] * 3)[:4]) if len(parts) < 5 else cls("", "", text)

    def __str__(self) -> str:
        kind = ("jar", self.classifier) if self.classifier else ()
        return ":".join((self.group, self.artifact, self.version, *kind))

    @property
    def file_name(self) -> str:
        """The name of the jar."""
        return f"{'-'.join(filter(None, astuple(self)[1:]))}.jar"

    @property
    def jar(self) -> str:
        """The path of the jar in a repository."""
        return f"{folder_of(self.group, self.artifact)}/{self.version}/{self.file_name}"

    @property
    def pom(self) -> str:
        """The path of the project file in a repository."""
        name = f"{self.artifact}-{self.version}.pom"
        return f"{folder_of(self.group, self.artifact)}/{self.version}/{name}"


COORDINATES = "coordinates"
"""Name of the file beside fetched jars, with the coordinate of each."""


def folder_of(group: str, artifact: str) -> str:
    """Return the folder in a repository of all versions of an artifact. Raises InputError."""
    return inside(Path(), *group.split("."), artifact).as_posix()


_RANKS = {"alpha": 0, "a": 0, "beta": 1, "b": 1, "milestone": 2, "m": 2, "rc": 3, "cr": 3, "snapshot": 4}
"""Ranks of the qualifiers that come before the version itself."""
_RELEASE, _PATCH, _OTHER = 5, 6, 7
"""Ranks of the version itself (also ``ga``, ``final``, ``release``), of ``sp``, and of any other word."""
_NONE = ("ga", "final", "release")

_PART = re.compile(r"\d+|[a-z]+")

Key = tuple[tuple[int, int, str], ...]
"""A version to compare: the parts, each with its rank, its number and its text. Numbers rank above all words."""

_NUMBER = 8
_END, _ZERO = (_RELEASE, 0, ""), (_NUMBER, 0, "")


def order_of(version: str) -> Key:
    """Return the key that sorts versions: ``1.0-beta2`` before ``1.0``, and ``1.9`` before ``1.10``.

    Zeros before a word or the end do not count: ``1.0`` equals ``1``, ``1.0-rc1`` equals ``1-rc1``.
    """
    parts: list[tuple[int, int, str]] = []
    for text in _PART.findall(version.lower()):
        part = _part(text)
        if part[0] != _NUMBER:
            _drop_zeros(parts)
        parts.append(part)
    while parts and parts[-1] == _END:
        parts.pop()
    _drop_zeros(parts)
    return (*parts, _END)


def _drop_zeros(parts: list[tuple[int, int, str]]) -> None:
    while parts and parts[-1] == _ZERO:
        parts.pop()


def _part(text: str) -> tuple[int, int, str]:
    if text.isdigit():
        digits = text.lstrip("0")
        return _NUMBER, len(digits), digits  # not as an integer, which Python makes of 4,300 digits at most
    if text in _NONE:
        return _END
    if text == "sp":
        return _PATCH, 0, ""
    rank = _RANKS.get(text, _OTHER)
    return rank, 0, text if rank == _OTHER else ""
