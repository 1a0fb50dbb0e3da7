"""Constants with all that they name in the place of indexes, and the constant pool of a class that is written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from core.classfile.format_error import ClassFormatError
from core.classfile.pool import (
    CLASS,
    DOUBLE,
    DYNAMICS,
    LONG,
    MEMBERS,
    METHOD_HANDLE,
    NAME_AND_TYPE,
    UTF8,
    Constant,
    write_constant,
)
from core.classfile.symbolic.pieces import Key, Narrow

MOST_NARROW = 255
"""Largest index of a constant that ``ldc`` can push."""

_MANY = 1 << 16
"""Size of the cache of constants, each with the constants it needs."""

_WIDE = (LONG, DOUBLE)

BOOTSTRAPS = "BootstrapMethods"

Reference = tuple[str, str, str]
"""Class, name and descriptor of a member."""


class Symbol(NamedTuple):
    """A constant with all that it names. ``content`` by tag: a text (UTF8, class, string and the like); owner, name and
    descriptor (fields and methods); name and descriptor; kind and symbol of a handle; bootstrap, name and descriptor,
    where a bootstrap is a handle and its arguments; the bytes of a number.
    """

    tag: int
    content: tuple[object, ...]

    @property
    def text(self) -> str:
        """The text of the constant, or the name of the class, string or package."""
        return str(self.content[0])

    @property
    def row(self) -> tuple[Symbol, ...]:
        """The row of BootstrapMethods that the constant names."""
        return self.content[0] if self.tag in DYNAMICS else ()  # type: ignore[return-value]  # a handle, its arguments

    @property
    def all(self) -> Iterator[Symbol]:
        """The constant, and those that it names as a handle or through its bootstrap."""
        yield self
        for part in self.content:
            for each in part if isinstance(part, tuple) and not isinstance(part, Symbol) else (part,):
                if isinstance(each, Symbol):
                    yield from each.all

    @property
    def members(self) -> Iterator[Reference]:
        """The members that the constant refers to, also through handles and bootstraps."""
        return (each.content for each in self.all if each.tag in MEMBERS)  # type: ignore[misc]  # three texts


def text(content: str) -> Symbol:
    """Return the symbol of a text."""
    return Symbol(UTF8, (content,))


class SymbolPool(dict[Key, bytes]):
    """The constant pool of a class that is written: symbols and the two bytes of their indexes, for an ``ldc`` one.

    Symbols get indexes in the order of their first use, the ``narrow`` ones before all others. Raises
    :class:`ClassFormatError` for too many constants.
    """

    def __init__(self, narrow: Iterable[Symbol] = ()) -> None:
        self.places: list[Constant | None] = [None]
        """The constants as in a parsed pool, but with numbers as bytes."""
        self.symbols: list[Symbol | None] = [None]
        """The symbol at each place."""
        self.rows: dict[tuple[Symbol, ...], int] = {}
        """The rows of BootstrapMethods that constants name."""
        places = [(self._take(symbol), symbol) for symbol in dict.fromkeys(narrow)]
        if len(self.places) > MOST_NARROW + 1:
            raise ClassFormatError("too many constants are pushed by short instructions")
        for place, symbol in places:
            self.places[place] = self._constant(symbol)

    def __missing__(self, key: Key) -> bytes:
        if isinstance(key, Narrow):
            return self[key.symbol][1:]
        assert isinstance(key, Symbol)
        place = self._take(key)
        self.places[place] = self._constant(key)
        return self[key]

    def take(self, symbols: Iterable[Symbol]) -> None:
        """Give constants an index each."""
        for symbol in symbols:
            self[symbol]

    def text(self, content: object) -> bytes:
        """Return the index of a text."""
        return self[Symbol(UTF8, (content,))]

    def class_(self, name: object) -> bytes:
        """Return the index of a class."""
        return self[Symbol(CLASS, (name,))]

    def written(self) -> bytes:
        """Return the bytes of the pool."""
        return len(self.places).to_bytes(2, "big") + b"".join(map(_constant_bytes, filter(None, self.places)))

    def bootstraps(self) -> bytes:
        """Return the attribute with the rows that constants name; nothing if they name none."""
        rows: list[bytes] = []
        while len(rows) < len(self.rows):  # an argument may be a dynamic constant with a row of its own
            handle, *arguments = list(self.rows)[len(rows)]
            row = self[handle] + len(arguments).to_bytes(2, "big")
            rows.append(row + b"".join(map(self.__getitem__, arguments)))
        if not rows:
            return b""
        content = len(rows).to_bytes(2, "big") + b"".join(rows)
        return self.text(BOOTSTRAPS) + len(content).to_bytes(4, "big") + content

    def size(self, symbol: Symbol) -> int:
        """Return the bytes of a constant."""
        constant = self.places[self._index(self[symbol])]
        assert constant is not None
        return len(_constant_bytes(constant))

    def _take(self, symbol: Symbol) -> int:
        place, wide = len(self.places), 2 if symbol.tag in _WIDE else 1
        if place + wide > 0xFFFF:
            raise ClassFormatError("the constant pool has no room for another constant")
        self[symbol] = place.to_bytes(2, "big")
        self.places += (None,) * wide
        self.symbols += (symbol, None)[:wide]
        return place

    def _constant(self, symbol: Symbol) -> Constant:
        tag, content = symbol
        if tag < CLASS:
            return tag, content[0]
        if tag == METHOD_HANDLE:
            return tag, content[0], self._index(self[content[1]])
        if tag == NAME_AND_TYPE:
            return tag, self._index(self.text(content[0])), self._index(self.text(content[1]))
        named = Symbol(NAME_AND_TYPE, content[1:])
        if tag in MEMBERS:
            return tag, self._index(self.class_(content[0])), self._index(self[named])
        if tag in DYNAMICS:
            return tag, self.rows.setdefault(symbol.row, len(self.rows)), self._index(self[named])
        return tag, self._index(self.text(content[0]))

    def _index(self, data: bytes) -> int:
        return data[0] << 8 | data[1]


def _constant_bytes(constant: Constant) -> bytes:
    tag, content = constant[:2]
    return content if UTF8 < tag < CLASS else write_constant(constant)  # a number is its bytes


@lru_cache(_MANY)
def needed(symbol: Symbol) -> frozenset[Symbol]:
    """Return a constant with those that it needs in a pool, without those of rows of BootstrapMethods."""
    pool = SymbolPool()
    pool.take((symbol,))
    return frozenset(pool)  # type: ignore[arg-type]  # what is taken is a symbol
