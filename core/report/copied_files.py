"""The user's files beside the script that repeats a failure, and links to files found elsewhere. Marks stand for the
places of this machine in copied texts; the script fills the marks in a copy."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from core.report.private_places import is_private

HERE, WORK = "@HERE@", "@WORK@"
"""Marks in copied texts: the copy of the script's folder, and the folder of the run."""

PATH = re.compile(r"(?<![\w.$~}/\0-])(?<!@HERE@)(?<!@WORK@)(?:~(?=/))?/(?:\\[ ()&']|[^\s:;,=|&<>()'\"`{}\\\0])+")
"""Pattern of an absolute path in a text that a shell reads."""
_HOST = re.compile(r"(?:[\w.$~{}/-]*/)?\bjarlet\s+host((?:\s+-\S+)*)(\s+(?:javac\b)?)")
"""Pattern of the start of a call of a tool that stays in memory while Jarlet runs."""


@dataclass
class CopiedFiles:
    """Contents of the folder around the script, by place: files and folders of this machine, changed texts of such
    files, and links to the values of variables of the script."""

    places: dict[str, Path] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    links: dict[str, str] = field(default_factory=dict)

    def free(self, wish: str) -> str:
        """Return a place that nothing has: the wish, or the wish with a number."""
        taken = [*self.places, *self.links]
        place, number = wish, 2
        while any(each == place or each.startswith(f"{place}/") for each in taken):
            place, number = f"{wish}-{number}", number + 1
        return place

    def contents(self) -> Iterator[tuple[str, bytes, bool]]:
        """Yield each file: place, bytes, and True if it may be executed."""
        for place, origin in self.places.items():
            for path in sorted(origin.rglob("*")) if origin.is_dir() else [origin]:
                if path.is_file():
                    inside = place if path == origin else f"{place}/{path.relative_to(origin).as_posix()}"
                    text = self.texts.get(inside)
                    data = path.read_bytes() if text is None else text.encode("utf-8", "surrogateescape")
                    yield inside, data, os.access(path, os.X_OK)

    @property
    def private(self) -> list[str]:
        """The places of the user's texts that name a path of this machine."""
        found = []
        for place, data, _ in self.contents():
            text = "" if b"\0" in data else data.decode("utf-8", "replace")
            if any(is_private(os.path.expanduser(match[0])) for match in PATH.finditer(text)):
                found.append(place)
        return found


def is_program(path: Path, text: str) -> bool:
    """Return True for a text that a shell or another program runs."""
    return path.suffix == ".sh" or text.startswith("#!")


def without_host(text: str) -> str:
    """Return a shell's text with ``java`` in the place of ``jarlet host``, which keeps a program in memory."""
    return _HOST.sub(lambda found: found[2].lstrip() or f"java{found[1]} -jar{found[2]}", text)


def file_names(text: str) -> str:
    """Return a comment in which each path of this machine is a file name."""
    return PATH.sub(_file_name, text)


def _file_name(match: re.Match[str]) -> str:
    path = os.path.expanduser(match[0])
    return Path(path).name if is_private(path) else match[0]
