"""Candidates with some lines of the text files beside the jar, which stays as it is."""

from __future__ import annotations

from functools import cached_property

from core.entries import BESIDE, Entries, beside
from core.reduction.elements import Elements
from core.reduction.records import SubInput
from core.search.spaces import SearchProblem
from core.sets import ItemSet, members


class LineElements(Elements):
    """The lines of all text files, in their order. A file may become empty."""

    def __init__(self, best: SubInput) -> None:
        self._best, self._entries = best, best.entries
        self.lines = [(name, line) for name, data in beside(self._entries) for line in data.splitlines(keepends=True)]
        super().__init__(len(self.lines))

    @cached_property
    def problem(self) -> SearchProblem:
        return SearchProblem(self.count, [len(line) for _, line in self.lines], write=self.bytes_of)

    def classes_of(self, kept: ItemSet) -> int:
        return self._best.classes

    def shown(self, kept: ItemSet) -> ItemSet:
        return self._best.tester.shown(self._best.items)

    def named(self, items: ItemSet) -> list[str]:
        return [
            f"{name.removeprefix(BESIDE)}: {line.decode('utf-8', 'replace').strip()}" for name, line in self._of(items)
        ]

    def _write(self, kept: ItemSet) -> Entries:
        texts = {name: b"" for name, _ in beside(self._entries)}
        for name, line in self._of(kept):
            texts[name] += line
        return [(name, texts.get(name, data)) for name, data in self._entries]

    def _of(self, items: ItemSet) -> list[tuple[str, bytes]]:
        return [self.lines[number] for number in members(items)]
