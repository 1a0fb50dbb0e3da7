"""The constant pool without leftovers: only used constants stay, in their order, numbered anew.

Keeping the order means that no index grows, so the single byte of an ``ldc`` always suffices.
New constants come behind the old ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from itertools import compress
from typing import Any

from core.classfile.format_error import ClassFormatError
from core.classfile.pool import (
    CLASS,
    DOUBLE,
    DYNAMICS,
    LONG,
    METHOD_HANDLE,
    METHOD_REF,
    NAME_AND_TYPE,
    UTF8,
    Constant,
    RawText,
    write_constant,
)
from core.classfile.symbolic.pieces import Key, Piece


class Moving(Enum):
    """Tables of a class whose rows are referred to by their number: ``(Moving.THROWS, method, row)`` is a key.

    Of tables of the whole class the number of the method is -1.
    """

    BOOTSTRAP = "bootstrap"
    INTERFACE = "interface"
    THROWS = "throws"


_NUMBERS = tuple(range(1 << 16))
"""The indexes of constants: each is one object, for the millions of places at which it stands."""

_FINDABLE = (UTF8, CLASS, NAME_AND_TYPE, METHOD_REF)
_UNUSED = bytes.maketrans(b"0", b"\0")
_NONE: Mapping[int, str] = {}


class Constants:
    """The constant pool of a class, ready to be written in part."""

    def __init__(self, pool: Sequence[Constant | None]) -> None:
        self.pool = pool
        self._first: list[Key] = [0] * len(pool)
        self._second: list[Key] = [0] * len(pool)
        self._wide = False
        for index, constant in enumerate(pool):
            if constant is None:
                continue
            tag = constant[0]
            if tag == UTF8:
                continue
            if tag < CLASS:
                self._wide |= tag in (LONG, DOUBLE)
            elif tag == METHOD_HANDLE:
                self._first[index] = constant[2]
            else:
                dynamic = tag in DYNAMICS
                self._first[index] = (Moving.BOOTSTRAP, -1, constant[1]) if dynamic else constant[1]
                if len(constant) > 2:
                    self._second[index] = constant[2]
        self._heads: list[bytes] | None = None
        self._places: dict[Constant, int] | None = None

    def __len__(self) -> int:
        return len(self.pool)

    def check(self, index: int) -> int:
        """Return ``index`` itself if there is a constant; raise :class:`ClassFormatError` otherwise."""
        if not 0 < index < len(self.pool) or self.pool[index] is None:
            raise ClassFormatError(f"there is no constant {index}")
        return _NUMBERS[index]

    def uses(self, piece: Piece) -> int:
        """Return the bit mask of the constants that ``piece`` needs, directly or through others."""
        if piece.uses is None:
            piece.uses = self.closure(piece.keys) if piece.keys else 0
        return piece.uses

    def closure(self, keys: Iterable[Key]) -> int:
        """Return the bit mask of the constants among ``keys`` and of those that they point to."""
        flags = bytearray(b"0") * len(self.pool)
        first, second = self._first, self._second
        for key in keys:
            if not isinstance(key, int) or flags[index := key if key >= 0 else ~key] == 49:
                continue
            todo = [index]
            while todo:
                index = todo.pop()
                if flags[index] == 48:
                    flags[index] = 49
                    todo += [other for other in (first[index], second[index]) if other and isinstance(other, int)]
        flags.reverse()
        return int(flags, 2)

    def place(self, constant: Constant) -> int | None:
        """Return the first place of a constant that equals ``constant``; numbers are not looked for."""
        if self._places is None:
            self._places = {}
            for index, known in enumerate(self.pool):
                if known is not None and known[0] in _FINDABLE and not isinstance(known[1], RawText):
                    self._places.setdefault(known, index)
        return self._places.get(constant)

    def heads(self) -> list[bytes]:
        """Return for each constant the bytes before the indexes that it holds."""
        if self._heads is None:
            self._heads = [b"" if constant is None else _head(constant) for constant in self.pool]
        return self._heads


def _head(constant: Constant) -> bytes:
    tag = constant[0]
    if tag == METHOD_HANDLE:
        return bytes(constant[:2])
    return write_constant(constant) if tag < CLASS else bytes([tag])


class Numbering:
    """The new pool of one writing: collects used and added constants, then numbers them."""

    def __init__(self, constants: Constants, retyped: Mapping[int, str] = _NONE) -> None:
        """``retyped``: the new descriptors of NameAndType constants, by their places."""
        self.constants = constants
        self.numbers: dict[Key, bytes] = {0: b""}
        self._used = 0
        self._added: dict[Constant, int] = {}
        self._retyped = retyped
        self._descriptors: dict[int, int] = {}  # the places of those new descriptors that are used

    def use(self, pieces: Iterable[Piece]) -> None:
        """Keep the constants of ``pieces``."""
        if self._retyped:
            self._use_retyped(pieces)
            return
        uses = self.constants.uses
        for piece in pieces:
            if piece.uses:
                self._used |= piece.uses
            elif piece.uses is None:
                self._used |= uses(piece)

    def _use_retyped(self, pieces: Iterable[Piece]) -> None:
        """Keep the constants of ``pieces`` if some change: the cached uses of ``pieces`` would keep old descriptors."""
        first, second = self.constants._first, self.constants._second
        todo = [key if key >= 0 else ~key for piece in pieces if piece.uses != 0 for key in piece.keys
                if isinstance(key, int)]  # fmt: skip
        flags = bytearray(b"0") * len(self.constants)
        while todo:
            place = todo.pop()
            if flags[place] == 48:
                flags[place] = 49
                below = [first[place], second[place]]
                if place in self._retyped:
                    self._descriptors[place] = self.text(self._retyped[place])
                    below.pop()
                todo += [other for other in below if isinstance(other, int) and other]
        flags.reverse()
        self._used |= int(flags, 2)

    def unused_classes(self) -> list[str]:
        """Return the names of the Class constants that nothing has used so far, arrays in brackets."""
        pool = self.constants.pool
        names = []
        for place, constant in enumerate(pool):
            if constant is not None and constant[0] == CLASS and not self._used >> place & 1:
                text = pool[constant[1]]
                assert text is not None
                names.append(text[1])
        return names

    def add(self, tag: int, *content: str | int) -> int:
        """Return the place of a Utf8, Class, NameAndType or Methodref, new or old, which stays (numbers: see place)."""
        constant = (tag, *content)
        place = self.constants.place(constant)
        if place is not None:
            self._used |= self.constants.closure((place,))
            return place
        return self._added.setdefault(constant, len(self.constants) + len(self._added))

    def placed(self, tag: int, content: Sequence[Any]) -> int:
        """Return the place of a constant that names a text or a method, by its tag and the content of its symbol."""
        return self.method(*content) if tag == METHOD_REF else self.add(tag, self.text(content[0]))

    def text(self, text: str) -> int:
        """Return the place of a Utf8 constant."""
        return self.add(UTF8, text)

    def class_(self, name: str) -> int:
        """Return the place of a Class constant."""
        return self.add(CLASS, self.text(name))

    def method(self, owner: str, name: str, descriptor: str) -> int:
        """Return the place of a Methodref constant."""
        return self.add(METHOD_REF, self.class_(owner), self.add(NAME_AND_TYPE, self.text(name), self.text(descriptor)))

    def write(self, narrow: Iterable[int]) -> bytes:
        """Number everything and return the pool with its count. ``narrow``: the places that an ``ldc`` names."""
        constants, numbers = self.constants, self.numbers
        count = len(constants)
        used = list(compress(range(count), bin(self._used)[:1:-1].encode().translate(_UNUSED)))
        number = 1
        if constants._wide:
            for place in used:
                numbers[place] = number.to_bytes(2, "big")
                constant = constants.pool[place]
                number += 2 if constant is not None and constant[0] in (LONG, DOUBLE) else 1
        else:
            for number, place in enumerate(used, 1):
                numbers[place] = number.to_bytes(2, "big")
            number += bool(used)
        for place in self._added.values():
            numbers[place] = number.to_bytes(2, "big")
            number += 1
        if number > 0xFFFF:
            raise ClassFormatError("the constant pool has no room for another constant")
        for place in narrow:
            if place in numbers:
                numbers[~place] = numbers[place][1:]
        heads, first, second = constants.heads(), constants._first, constants._second
        if self._descriptors:
            second = [self._descriptors.get(place, other) for place, other in enumerate(second)]
        body = [heads[place] + numbers[first[place]] + numbers[second[place]] for place in used]
        for constant in self._added:
            if constant[0] == UTF8:
                body.append(write_constant(constant))
            else:
                body.append(bytes(constant[:1]) + b"".join([numbers[place] for place in constant[1:]]))
        return number.to_bytes(2, "big") + b"".join(body)
