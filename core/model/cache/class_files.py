"""Facts about class files, found by the content of the file.

The models of one reduction are of smaller and smaller inputs with mostly unchanged classes. So each class is read once,
and prepared for rewriting once.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Container, Sequence
from contextlib import suppress
from typing import Generic, TypeVar

from core.archive.jar import Jar
from core.classfile.class_file import parse
from core.classfile.format_error import ClassFormatError
from core.classfile.outline import SharedNames
from core.classfile.symbolic.part_kinds import Part
from core.model.reading.class_reading import ClassReading, read_class
from core.parts.rewriter import Rewriter

REWRITERS = 8 << 20
"""Most bytes of the class files whose rewriters are kept at a time; a rewriter takes 20 to 30 times as much."""


class ClassFileCache:
    """Readings and rewriters for one granularity. Not for several threads at a time."""

    def __init__(self, granularity: str, rewriters: int = REWRITERS) -> None:
        """``rewriters``: bound in bytes, see the constant."""
        self.granularity = granularity
        self._readings: dict[bytes, ClassReading | str] = {}
        self._names = SharedNames()
        self._rewriters: Bounded[bytes, Rewriter] = Bounded(rewriters)
        self._last: Rewriter | None = None

    @property
    def held(self) -> int:
        """Bytes of the class files with kept rewriters."""
        return self._rewriters.cost

    def reading(self, entry: int, data: bytes) -> ClassReading | str | None:
        """Return the reading of a class file as the entry of number ``entry``; None if the file was not read yet."""
        found = self._readings.get(data)
        if found is None or isinstance(found, str) or found.node.entry == entry:
            return found
        return found._replace(node=found.node._replace(entry=entry))

    def learn(self, data: bytes, reading: ClassReading | str) -> None:
        """Remember the reading of a class file."""
        self._readings[data] = reading

    def read(self, entry: int, data: bytes) -> bool:
        """Read a class file, unless it was read. Return True if there was anything to do."""
        if data in self._readings:
            return False
        self._readings[data] = read_class(entry, data, self.granularity, self._names)
        return True

    def prepare(self, data: bytes) -> bool:
        """Make the rewriter of a class file that was read, if the rewriter can be kept. Return True if there was
        anything to do."""
        found = self._readings.get(data)
        if found is None or isinstance(found, str) or found.facts is None or self._rewriters.get(data) is not None:
            return False
        if self._rewriters.cost + len(data) > self._rewriters.limit:
            return False
        with suppress(ClassFormatError):
            self.rewriter(data, found.facts.parts)
        return True

    def keep_only(self, jar: Jar) -> None:
        """Forget all about class files that are not in the jar."""
        there = {jar.entries[entry].data for entry in jar.classes()}
        self._readings = {data: reading for data, reading in self._readings.items() if data in there}
        self._rewriters.keep(there)
        self._names = SharedNames()

    def next_round(self) -> None:
        """Begin another sub-input: the rewriters used from here on are used for it."""
        self._rewriters.next_round()

    def rewriter(self, data: bytes, parts: Sequence[Part]) -> Rewriter:
        """Return the rewriter of a class file with these parts. Raise ClassFormatError for a damaged file."""
        if self._last is not None and self._last.data is data:  # asked for again where there is no room for it
            return self._last
        rewriter = self._rewriters.get(data)
        if rewriter is None:
            rewriter = Rewriter(parse(data, self._names.texts), parts)
            self._rewriters.put(data, rewriter, len(data))
        self._last = rewriter
        return rewriter


Key = TypeVar("Key")
Value = TypeVar("Value")


class Bounded(Generic[Key, Value]):
    """Values with a cost each, whose costs together stay within ``limit``.

    Users come in rounds that each ask for many values, often for the same ones and in the same order. Forgetting
    the one used longest ago would then forget each just before it is asked for; so a value makes room only if
    neither this round nor the last has used it, and a value for which there is no room is not taken.
    """

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.cost = 0
        self._round = 0
        self._known: OrderedDict[Key, tuple[Value, int, int]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._known)

    def next_round(self) -> None:
        """Begin another round: later uses of values count for the new round."""
        self._round += 1

    def get(self, key: Key) -> Value | None:
        """Return the value, which counts as used; None if it is not known."""
        found = self._known.get(key)
        if found is None:
            return None
        value, cost, used = found
        if used != self._round:
            self._known[key] = value, cost, self._round
            self._known.move_to_end(key)
        return value

    def keep(self, keys: Container[Key]) -> None:
        """Forget all values but those of ``keys``."""
        for key in [key for key in self._known if key not in keys]:
            self.cost -= self._known.pop(key)[1]

    def put(self, key: Key, value: Value, cost: int) -> None:
        """Remember a value that is not known, if there is room or room can be made."""
        while self.cost + cost > self.limit:
            oldest = next(iter(self._known), None)
            if oldest is None or self._known[oldest][2] >= self._round - 1:
                return
            self.cost -= self._known.pop(oldest)[1]
        self._known[key] = value, cost, self._round
        self.cost += cost
