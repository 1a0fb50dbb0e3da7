"""Coordinates of jars in a Maven repository, and their places in it."""

from __future__ import annotations

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
        """Return the coordinate that is written as ``group:artifact:version``, perhaps with ``:jar:classifier``."""
        parts = text.split(":")
        return cls(*(parts[:3] + parts[4:] + [""] * 3)[:4]) if len(parts) < 6 else cls("", "", text)

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


def folder_of(group: str, artifact: str) -> str:
    """Return the folder in a repository of all versions of an artifact. Raises InputError."""
    return inside(Path(), *group.split("."), artifact).as_posix()
