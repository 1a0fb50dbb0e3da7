"""A class file as a tree of pieces, some of which can be left out.

Writing takes two steps. First every node puts the pieces that stay into a list: lengths
and counts are known by then, pool indexes are not. Then the constants that those pieces
use are numbered anew, and each piece becomes bytes.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from array import array
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, NamedTuple

Key = Hashable
"""The target of an index in a piece: a pool index (its complement for the single byte of an ``ldc``), or a row of
another table that may move, such as ``(Known.BOOTSTRAP, 3)``."""


class Narrow(NamedTuple):
    """The symbol of an ``ldc``, whose index has a single byte."""

    symbol: Any


Fact = Hashable
"""Something that may be gone: the internal name of a class, or a tuple (see
:class:`core.classfile.symbolic.decoding.FactKind`).
"""

Facts = frozenset[Fact]
NO_FACTS: Facts = frozenset()


class Piece:
    """Bytes with holes for indexes: ``keys[i]`` stands at ``offsets[i]``, ascending."""

    __slots__ = ("_get", "_template", "data", "keys", "offsets", "uses")

    def __init__(self, data: bytes, offsets: Sequence[int] = (), keys: Sequence[Key] = ()) -> None:
        self.data = data
        self.offsets = offsets
        self.keys = keys
        self.uses: int | None = None  # filled by Constants.uses: the constants it needs, as a bit mask
        self._template: bytes | None = None
        self._get: Callable[[Mapping[Key, bytes]], Any] | None = None

    def __len__(self) -> int:
        return len(self.data)

    def numbered(self, numbers: Mapping[Key, bytes]) -> bytes:
        """Return the bytes with each hole filled with ``numbers[key]``."""
        if not self.keys:
            return self.data
        if self._template is None or self._get is None:
            self._template = self._compile()
            self._get = itemgetter(*self.keys)
        # Formatting fills many holes in one call of C: four times faster than patching a bytearray.
        filled: bytes = self._template % self._get(numbers)
        return filled

    def _compile(self) -> bytes:
        texts, last, data = [], 0, self.data
        for at, key in zip(self.offsets, self.keys, strict=True):
            texts.append(data[last:at])
            last = at + (1 if isinstance(key, Narrow) or (isinstance(key, int) and key < 0) else 2)
        texts.append(data[last:])
        return b"%b".join([text.replace(b"%", b"%%") for text in texts])

    @staticmethod
    def join(pieces: Iterable[Piece]) -> Piece:
        """Return one piece of several."""
        pieces = list(pieces)
        if len(pieces) == 1:
            return pieces[0]
        at = 0
        offsets = array("I")  # a list of numbers takes ten times as much
        keys: list[Key] = []
        for piece in pieces:
            if piece.keys:
                offsets.extend([at + offset for offset in piece.offsets])
                keys += piece.keys
            at += len(piece.data)
        return Piece(b"".join([piece.data for piece in pieces]), offsets, tuple(keys))


def literal(number: int, width: int) -> Piece:
    """Return an unsigned number in ``width`` bytes."""
    return Piece(number.to_bytes(width, "big"))


@dataclass(frozen=True, slots=True)
class Choice:
    """A choice of kept parts, while the class is written."""

    kept: int
    """Bit mask of the parts."""
    gone: set[Fact]
    added: Any
    """The :class:`core.classfile.symbolic.compaction.Numbering` that takes new constants for replacements."""
    super_call: Callable[[], tuple[int, str] | None]
    """Function that returns the place of the Methodref of the superclass's constructor to call, and its descriptor;
    None in Object."""
    halts: bool
    """True if the virtual machine ends where code was removed."""


class Node(ABC):
    """A place in the tree. Unchanged as long as all of ``bits`` are kept and none of ``facts`` is gone."""

    __slots__ = ("_whole", "bits", "facts")

    def __init__(self, bits: int = 0, facts: Facts = NO_FACTS, whole: Piece | None = None) -> None:
        self.bits = bits
        self.facts = facts
        self._whole = whole

    @property
    def whole(self) -> Piece:
        """The node as it was read, in one piece. That of a node inside is not kept with it."""
        if self._whole is None:
            self._whole = Piece.join(self._all())
        return self._whole

    def pieces(self) -> list[Piece]:
        """Return the node as it was read, in as many pieces as are at hand."""
        return self._all() if self._whole is None else [self._whole]

    def stays(self, choice: Choice) -> bool:
        """Return True if any byte of the node is written."""
        return True

    def emit(self, choice: Choice, out: list[Piece]) -> int:
        """Append the remaining pieces (of a node that :meth:`stays`) and return their length in bytes."""
        if choice.kept & self.bits == self.bits and (not choice.gone or self.facts.isdisjoint(choice.gone)):
            piece = self.whole
            out.append(piece)
            return len(piece.data)
        return self._emit_changed(choice, out)

    def _all(self) -> list[Piece]:
        """Return the pieces of the unchanged node."""
        return [self.whole]

    @abstractmethod
    def _emit_changed(self, choice: Choice, out: list[Piece]) -> int: ...


class Leaf(Node):
    """Bytes that never change but for their indexes. Once a part or a fact is gone, ``instead`` stands in their
    place."""

    __slots__ = ("_instead",)

    def __init__(
        self,
        piece: Piece,
        bits: int = 0,
        facts: Facts = NO_FACTS,
        instead: Callable[[Choice], Piece] | None = None,
    ) -> None:
        super().__init__(bits, facts, piece)
        self._instead = instead

    def _emit_changed(self, choice: Choice, out: list[Piece]) -> int:
        assert self._instead is not None  # something can change
        piece = self._instead(choice)
        out.append(piece)
        return len(piece)


class Row(Node):
    """A node that stays while its ``bit`` is kept, none of its ``needs`` is gone, and one of its ``tables`` still has
    rows.

    Then its children decide for themselves.
    """

    __slots__ = ("bit", "children", "needs", "tables")

    def __init__(
        self,
        children: Sequence[Node],
        bit: int = 0,
        needs: Facts = NO_FACTS,
        tables: Sequence[Table] = (),
    ) -> None:
        bits, facts = bit, needs
        for child in children:
            bits |= child.bits
            if child.facts:
                facts = facts | child.facts if facts else child.facts
        super().__init__(bits, facts)
        self.children = children
        self.bit = bit
        self.needs = needs
        self.tables = tables

    def stays(self, choice: Choice) -> bool:
        if choice.kept & self.bit != self.bit or not self.needs.isdisjoint(choice.gone):
            return False
        return not self.tables or not all(table.vanishes(choice) for table in self.tables)

    def _all(self) -> list[Piece]:
        return [piece for child in self.children for piece in child.pieces()]

    def _emit_changed(self, choice: Choice, out: list[Piece]) -> int:
        return sum([child.emit(choice, out) for child in self.children])


class Table(Row):
    """A count of two bytes and that many rows.

    *split* may replace the rows of a long table whose rows are seldom needed one by one; then *whole*, *bits* and
    *facts* say what it would yield.
    """

    __slots__ = ("split",)

    def __init__(self, rows: Sequence[Node]) -> None:
        super().__init__(rows)
        self.split: Callable[[], Sequence[Node]] | None = None

    @classmethod
    def lazy(cls, whole: Piece, facts: Facts, split: Callable[[], Sequence[Node]]) -> Table:
        """Return a table that is split into its rows only if one of ``facts`` is gone."""
        table = cls(())
        table._whole, table.facts, table.split = whole, facts, split
        return table

    def rows(self) -> Sequence[Node]:
        """Return the rows, split off now if they were not yet."""
        if self.split is not None:
            self.children, self.split = self.split(), None
        return self.children

    def vanishes(self, choice: Choice) -> bool:
        """Return True if there were rows and none of the rows stays."""
        if choice.kept & self.bits == self.bits and self.facts.isdisjoint(choice.gone):
            return False
        rows = self.rows()
        return bool(rows) and not any(row.stays(choice) for row in rows)

    def _all(self) -> list[Piece]:
        return [literal(len(self.children), 2), *super()._all()]

    def _emit_changed(self, choice: Choice, out: list[Piece]) -> int:
        rows = [row for row in self.rows() if row.stays(choice)]
        out.append(literal(len(rows), 2))
        return 2 + sum([row.emit(choice, out) for row in rows])


class Attribute(Row):
    """An attribute: its name, its length, its content."""

    __slots__ = ("name",)

    def __init__(
        self,
        name: Piece,
        content: Sequence[Node],
        bit: int = 0,
        needs: Facts = NO_FACTS,
        tables: Sequence[Table] = (),
    ) -> None:
        super().__init__(content, bit, needs, tables)
        self.name = name

    def _all(self) -> list[Piece]:
        content = super()._all()
        return [self.name, literal(sum(map(len, content)), 4), *content]

    def _emit_changed(self, choice: Choice, out: list[Piece]) -> int:
        out.append(self.name)
        place = len(out)
        out.append(self.name)  # replaced as soon as the length is known
        size = super()._emit_changed(choice, out)
        out[place] = literal(size, 4)
        return 6 + size
