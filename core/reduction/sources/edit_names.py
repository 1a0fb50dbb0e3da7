"""Names by which edits of method bodies are known again in later sources: some also when others changed the code."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from zlib import crc32

import core.rewrite.bodies as bodies

_OFFSETS = re.compile(r"\boffset \d+( to \d+)?")
_LASTING = frozenset(
    (
        bodies.EditKind.CUT,
        bodies.EditKind.FALL,
        bodies.EditKind.JUMP,
        bodies.EditKind.ARM,
        bodies.EditKind.CASE,
        bodies.EditKind.HANDLER,
        bodies.EditKind.SKIP,
        bodies.EditKind.NAME,
    )
)
"""Kinds that change where control goes, and names. One of them that could not be made hardly ever can once others were
made; whether a value can go depends on what is still done with it."""
_MOST_PAIRS = 1_000_000
"""Pairs of edits of two versions of a method: where there are more, none is known again."""


@dataclass(frozen=True)
class MethodNames:
    """The edits of one version of a method: what each does, wherever it stands, and its name."""

    code: int
    """A checksum of the code."""
    does: tuple[str, ...]
    names: tuple[str, ...]

    @classmethod
    def of(cls, method: str, code: bytes, edits: Sequence[bodies.Edit], earlier: MethodNames | None) -> MethodNames:
        """Those of the method of that name; a lasting edit keeps the name that it has in the ``earlier`` version."""
        number = crc32(code)
        does = tuple(f"{edit.kind.name} {_OFFSETS.sub('', edit.description)}" for edit in edits)
        if earlier is not None and (earlier.code, earlier.does) == (number, does):
            return earlier
        names = [f"{method}#{number:x}!{edit.kind.name}@{edit.offset}.{edit.index}" for edit in edits]
        if earlier is not None and len(does) * len(earlier.does) <= _MOST_PAIRS:
            for before, now, count in SequenceMatcher(None, earlier.does, does, autojunk=False).get_matching_blocks():
                for place in range(count):
                    if edits[now + place].kind in _LASTING:
                        names[now + place] = earlier.names[before + place]
        return cls(number, does, tuple(names))
