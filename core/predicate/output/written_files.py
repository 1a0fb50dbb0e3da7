"""The files that a command writes in the folder of its run, compared without the lines that differ between two runs of
the full input."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from core.predicate.places import CLASSES, INPUTS, JAR, TEMPORARY
from core.system.removal import files_below

_LENGTH = 8
"""Bytes of the digest of a line."""

Lines = tuple[str, ...]
"""Digests of the lines of a file. Empty for a line that may differ."""


@dataclass(frozen=True)
class WrittenFiles:
    """The files of a run by their paths in its folder."""

    lines: Mapping[str, Lines] = field(default_factory=dict)
    more: bool = False
    """True if another run may write files of other names, too."""

    def difference(self, other: WrittenFiles) -> str:
        """Return the first difference of another run, in words; empty if there is none."""
        for name, lines in self.lines.items():
            there = other.lines.get(name)
            if there is None:
                return f"no file {name}"
            if lines and not _alike(lines, there):
                return f"other content of the file {name}"
        extra = sorted(other.lines.keys() - self.lines.keys())
        return f"a further file {extra[0]}" if extra and not self.more else ""

    def steady(self, other: WrittenFiles) -> WrittenFiles:
        """Return the files without what differs from another run: names, and lines. Of a file with another number of
        lines only its name is left."""
        both = {name: (lines, other.lines[name]) for name, lines in self.lines.items() if name in other.lines}
        found = {
            name: tuple(one if one == same else "" for one, same in zip(*pair, strict=True))
            if len(set(map(len, pair))) == 1
            else ()
            for name, pair in both.items()
        }
        return WrittenFiles(found, more=self.lines.keys() != other.lines.keys())


def written_files(folder: Path, work: str) -> WrittenFiles:
    """Return the files of a run in ``folder``. ``work``: path of the run, which their texts may name."""
    found = {}
    for entry in files_below(folder, left_out=(CLASSES, INPUTS, TEMPORARY)):
        name = Path(entry.path).relative_to(folder).as_posix()
        if name != JAR and entry.is_file(follow_symlinks=False):
            data = Path(entry.path).read_bytes().replace(work.encode(), b"{work}")
            found[name] = tuple(hashlib.blake2b(line, digest_size=_LENGTH).hexdigest() for line in data.split(b"\n"))
    return WrittenFiles(dict(sorted(found.items())))


def _alike(lines: Lines, others: Lines) -> bool:
    return len(lines) == len(others) and all(a == b or not a or not b for a, b in zip(lines, others, strict=True))
