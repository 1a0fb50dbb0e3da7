"""Facts about class files, found by the content of the file.

The models of one reduction are of smaller and smaller inputs with mostly unchanged classes. So each class is read once,
and prepared for rewriting once.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from core.archive.jar import Jar
from core.classfile.class_file import parse
from core.classfile.format_error import ClassFormatError
from core.classfile.outline import SharedNames
from core.classfile.symbolic.part_kinds import Part
from core.model.cache.bounded import Bounded
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

    @property
    def held(self) -> int:
        """Bytes of the class files whose rewriters are kept."""
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
        rewriter = self._rewriters.get(data)
        if rewriter is None:
            rewriter = Rewriter(parse(data, self._names.texts), parts)
            self._rewriters.put(data, rewriter, len(data))
        return rewriter
