"""Sub-inputs as entries of a jar: each changed class is rewritten once and remembered, within bounds.

The bytes of a class depend on its own parts and a few other items (its footprint). These are the key in memory. A class
with all parts and all mentions kept is not even looked at.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import compress

import numpy as np
from numpy.typing import NDArray

from core.archive.selection import select
from core.cancellation import cancellation_point
from core.classfile.flags import ENUM
from core.classfile.format_error import ClassFormatError
from core.classfile.symbolic.part_kinds import PartKind
from core.entries import Entries
from core.model.cache.class_files import Bounded, ClassFileCache
from core.model.class_model import ClassModel
from core.model.formula import TRUE
from core.model.lookup import ANNOTATION_TYPE
from core.model.reading.facts import ClassFacts
from core.model.writing.world import KeptWorld, Questions
from core.parts.rewriter import Rewriter
from core.sets import ItemSet
from core.system.interpreter import collector_paused

Numbers = NDArray[np.int32]

WRITTEN = 64 << 20
"""Most bytes of rewritten classes that are remembered."""

_BATCH = 200  # rewritten classes between two runs of the garbage collector: dropped objects are in cycles


class Writer:
    """A writer of sub-inputs of one input. Not for several threads at a time."""

    def __init__(
        self,
        model: ClassModel,
        parts: tuple[tuple[int, int], ...],
        facts: Mapping[str, ClassFacts],
        questions: Questions,
        known: ClassFileCache,
        written: int = WRITTEN,
    ) -> None:
        """``parts``: for each class its parts' first item number and the one behind the last; ``written``: bound in
        bytes, see the constant."""
        self._model = model
        self._parts = parts
        self._count = max([len(model.items), *(end for _, end in parts)])
        self._facts = facts
        self._questions = questions
        self._analysed = [node.name in facts for node in model.graph.nodes]
        self._footprints: dict[int, Numbers] = {}
        self._known = known
        self._written: Bounded[tuple[int, bool, bytes], bytes] = Bounded(written)
        self._surroundings, self._starts = self._around()

    def entries(self, kept: ItemSet, *, halts: bool = False) -> Entries:
        """Return the names and contents of the entries of a valid sub-input, in input order. ``halts``: see
        :meth:`Rewriter.write`."""
        jar, items = self._model.jar, self._model.items
        packed = np.frombuffer(kept.to_bytes((self._count + 7) // 8, "little"), dtype=np.uint8)
        state = np.unpackbits(packed, count=self._count, bitorder="little")
        flags = state.tobytes()
        changed: dict[int, bytes] = {}
        self._known.next_round()
        self._written.next_round()
        numbers = self._to_look_at(state)
        for start in range(0, len(numbers), _BATCH):
            with collector_paused():
                for number in numbers[start : start + _BATCH]:
                    data = self._class(number, kept, state, flags, halts)
                    entry = items[number].entry
                    if data is not jar.entries[entry].data:
                        changed[entry] = data
        indexes = {item.entry for item in compress(items, flags)}
        return select(jar, indexes, changed)

    def preparation(self) -> Iterator[bool]:
        """Find the footprints that are not known, one at each step."""
        for number in range(len(self._analysed)):
            if self._analysed[number] and number not in self._footprints:
                self._find_footprint(number)
                yield True

    def _to_look_at(self, state: NDArray[np.uint8]) -> list[int]:
        """Return the kept classes that may have to be rewritten."""
        nodes = len(self._parts)
        if not nodes:
            return []
        whole = np.bitwise_and.reduceat(state[self._surroundings], self._starts)
        numbers = np.nonzero((state[:nodes] == 1) & (whole == 0))[0].tolist()
        return [number for number in numbers if self._analysed[number]]

    def _class(self, number: int, kept: ItemSet, state: NDArray[np.uint8], flags: bytes, halts: bool) -> bytes:
        """Return the class as the sub-input has it: the very bytes of the input for an unchanged class."""
        cancellation_point()
        source = self._model.jar.entries[self._model.items[number].entry].data
        footprint = self._footprints.get(number)
        if footprint is None:
            footprint = self._find_footprint(number)
        if footprint is None:
            return source
        key = (number, halts, state[footprint].tobytes())
        data = self._written.get(key)
        if data is None:
            first, end = self._parts[number]
            mask = (kept >> first) & ((1 << (end - first)) - 1)
            name = self._model.items[number].name
            try:
                data = self._rewriter(number).write(mask, KeptWorld(self._questions, flags, name), halts=halts)
            except ClassFormatError:
                # damaged in a way that only writing finds: no JVM loads it, so it stays as it is
                data = source
            self._written.put(key, data, len(data) if data is not source else 0)
        return data

    def _rewriter(self, number: int) -> Rewriter:
        item = self._model.items[number]
        return self._known.rewriter(self._model.jar.entries[item.entry].data, self._facts[item.name].parts)

    def _find_footprint(self, number: int) -> Numbers | None:
        """Return the footprint of a class; None, from now on, if the class is damaged."""
        try:
            return self._footprint(number)
        except ClassFormatError:
            self._analysed[number] = False
            return None

    def _footprint(self, number: int) -> Numbers:
        name = self._model.items[number].name
        facts = self._facts[name]
        stubs = any(
            part.kind is PartKind.CODE and facts.method_list[part.element][0][0] == "<init>" for part in facts.parts
        )
        others = self._questions.footprint(self._rewriter(number), name, facts.superclass if stubs else None)
        found = np.array([*range(*self._parts[number]), *others], dtype=np.int32)
        self._footprints[number] = found
        return found

    def _around(self) -> tuple[Numbers, NDArray[np.int64]]:
        """For each class: its parts, its mentions and their ties that it tells. While all of it is kept, so is every
        byte of the class. One array, with the place where each class begins."""
        graph, variables, facts = self._model.graph, self._questions.hierarchy.variables, self._facts
        found: list[int] = []
        starts = []
        scopes: dict[str, list[int]] = {}
        for (name, _), items in variables.scopes.items():
            scopes.setdefault(name, []).extend(items)
        for number, node in enumerate(graph.nodes):
            cancellation_point()
            starts.append(len(found))
            found.append(number)
            found += range(*self._parts[number])
            found += scopes.get(node.name, ())
            ties = [variables.enclosing[node.name]]
            if node.name.endswith("module-info"):
                found += range(len(self._model.items))  # which packages there are
            for other in graph.graph[number]:
                name, above, access = (there := graph.nodes[other]).name, there.superclass, there.access
                found.append(other)
                if above == node.name or access & ENUM:
                    ties.append(variables.superclass[name])
                ties.append(variables.interfaces[name, node.name])
                ties.append(variables.interfaces[name, ANNOTATION_TYPE])
                if name in facts and facts[name].nest_host == node.name:
                    ties.append(variables.nests[name])
            found += [tie for tie in ties if tie != TRUE]
        return np.array(found, dtype=np.int32), np.array(starts, dtype=np.int64)
