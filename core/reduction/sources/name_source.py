"""Candidates in which some names of the input are neutral."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property

from core.archive.jar import Jar
from core.reduction.sources.rewrite_source import RewriteSource
from core.reduction.sources.source import Pins, no_pins
from core.renaming import NOTHING_RENAMED, Renaming
from core.rewrite.names.naming import NAMES
from core.rewrite.programs.class_relations import OBJECT
from core.rewrite.programs.program import Library
from core.search.spaces.class_spaces import SearchProblem
from core.sets import ItemSet

_MOST_CLASS_BYTES = 20_000_000
"""Most bytes of classes whose names are changed: every probe takes as long as writing all of them.
See decisions/051-neutral-names.md."""


class NameSource(RewriteSource):
    """One edit for each name; an element that is kept is a name that stays.

    The search is for fewer names, not for fewer bytes: no candidate counts as larger than the input of the phase. Else
    an input with short names could not get neutral ones.
    """

    most = _MOST_CLASS_BYTES
    copies = True

    def __init__(
        self,
        jar: Jar,
        numbers: Mapping[str, int],
        library: Library,
        pinned: Pins = no_pins,
        renaming: Renaming = NOTHING_RENAMED,
    ) -> None:
        super().__init__(NAMES, jar, numbers, library, pinned, renaming)

    @property
    def possible(self) -> bool:
        """True if the names of the input can change at all."""
        return bool(self._program.classes) and self._program.library(OBJECT) is not None

    @cached_property
    def problem(self) -> SearchProblem:
        return SearchProblem(self.count, [1] * self.count, write=self.bytes_of)

    def bytes_of(self, kept: ItemSet) -> int:
        return min(super().bytes_of(kept), super().bytes_of(self.full))

    def renaming_after(self, kept: ItemSet) -> Renaming:
        renaming = self._made(kept).renaming
        told = ("names became neutral",) if self.full & ~kept else ()
        return replace(renaming, edits=(*renaming.edits, *told))
