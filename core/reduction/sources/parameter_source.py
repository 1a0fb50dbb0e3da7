"""Candidates without some parameters of methods."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from core.archive.jar import Jar
from core.reduction.sources.rewrite_source import RewriteSource
from core.reduction.sources.source import Pins, no_pins
from core.renaming import Renaming
from core.rewrite.programs.program import Library
from core.rewrite.programs.shapes.unread import UNREAD
from core.search.spaces.class_spaces import SearchProblem
from core.sets import ItemSet

_MOST_CLASS_BYTES = 300_000
"""Most bytes of classes in which parameters are looked for. In larger inputs parameters are not worth the time.
See decisions/021-parameters.md."""


class ParameterSource(RewriteSource):
    """Parameters that no method reads, each as likely to go as the others."""

    most = _MOST_CLASS_BYTES

    def __init__(self, jar: Jar, numbers: Mapping[str, int], library: Library, pinned: Pins = no_pins) -> None:
        super().__init__(UNREAD, jar, numbers, library, pinned)

    @cached_property
    def problem(self) -> SearchProblem:
        return SearchProblem(self.count, [1] * self.count, write=self.bytes_of)

    def renaming_after(self, kept: ItemSet) -> Renaming:
        return self.renaming

    def renamed(self, kept: ItemSet) -> dict[str, str]:
        """Return the new names of the methods whose descriptors change, by their old names."""
        pairs = zip(self._program.classes, self._made(kept).classes, strict=True)
        methods = [(old.name, *both) for old, new in pairs for both in zip(old.methods, new.methods, strict=True)]
        return {
            f"{owner}.{old.name}:{old.descriptor}": f"{owner}.{new.name}:{new.descriptor}"
            for owner, old, new in methods
            if old.key != new.key
        }
