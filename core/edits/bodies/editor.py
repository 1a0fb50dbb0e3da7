"""One class, written again and again with other edits of its methods' bodies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cached_property

from core.cancellation import cancellation_point
from core.classfile.symbolic.symbol_pool import Symbol, SymbolPool, needed, text
from core.classfile.symbolic.symbolic_class import CODE, MemberTree, class_content, read
from core.code.body_layout import TooLongError
from core.code.change import changed
from core.code.edit import Edit
from core.code.method_code import code_of
from core.edits.bodies.offers import offers
from core.sets import listed_by

_REMEMBERED = 4
"""Versions of a method that are kept: from one candidate to the next few methods change."""
_MOST_SHARE = 4.0
"""Bytes of a class for each byte of its code that are believed to go with it at most: tables of constants do not."""
_MOST_WORK = 200_000
"""Limit on the bytes of a method's code times its edits: up to here the saving of each edit alone is computed."""


class Editor:
    """The edits of a class, and the class with any of them.

    Raises :class:`ClassFormatError` when the class file ``data`` is damaged. A method that the verifier refuses, or
    with subroutines (``jsr``), offers no edits. ``halts``: see :func:`core.code.change.changed`.
    """

    def __init__(self, data: bytes, *, halts: bool = False) -> None:
        self._halts = halts
        self._source = data
        self._tree = read(data)
        codes = ((number, code_of(self._tree, method)) for number, method in enumerate(self._tree.methods))
        self._codes = {number: code for number, code in codes if code is not None}
        self._known: dict[int, dict[frozenset[int], MemberTree | None]] = {number: {} for number in self._codes}

    @cached_property
    def edits(self) -> tuple[Edit, ...]:
        """All edits, by method, offset, kind and index."""
        return tuple([edit for number, code in self._codes.items() for edit in offers(number, code)])

    def name(self, number: int) -> str:
        """Return the name of a method: ``a/b/C.m:()V``."""
        method = self._tree.methods[number]
        return f"{self._tree.name}.{method.name}:{method.descriptor}"

    def checksum(self, number: int) -> int:
        """Return the checksum of the code of a method that has edits."""
        return self._codes[number].checksum

    def saved(self, number: int) -> int:
        """Return the bytes of the class that one of :attr:`edits` saves alone, with constants but without rows of
        BootstrapMethods. For a very long method, return the estimate of the edit, to save time."""
        edit = self.edits[number]
        size, own = self._code_bytes[edit.method]
        if size * self._counts[edit.method] > _MOST_WORK:
            return edit.saved
        method = self._changed(edit.method, [edit])
        if method is None:
            return 0
        left, constants = _code_of(method)
        return size - left + sum(own[symbol] for symbol in own.keys() - constants)

    @cached_property
    def share(self) -> float:
        """Bytes of the class for each byte of its code: an estimate of the saving with its constants."""
        code = sum(code.flow.blocks[-1].stop for code in self._codes.values())
        return min(_MOST_SHARE, len(self._source) / code) if code else 1.0

    @cached_property
    def _code_bytes(self) -> dict[int, tuple[int, dict[Symbol, int]]]:
        """The bytes of the Code attribute of each method, and those of the constants that only this method's code
        needs."""
        found = {number: _code_of(self._tree.methods[number]) for number in self._codes}
        users = Counter(symbol for _, constants in found.values() for symbol in constants)
        rest = SymbolPool()
        class_content(self._tree.without(lambda attribute: attribute.name == CODE), rest)
        for symbol in users:
            rest.take(symbol.row)
        rest.bootstraps()
        alone, pool = {symbol for symbol, count in users.items() if count == 1} - rest.keys(), SymbolPool()
        return {
            number: (size, {symbol: pool.size(symbol) for symbol in alone & constants})
            for number, (size, constants) in found.items()
        }

    @cached_property
    def _counts(self) -> Counter[int]:
        return Counter(edit.method for edit in self.edits)

    def write(self, chosen: Iterable[int]) -> bytes:
        """Return the class with the ``chosen`` edits, numbers in :attr:`edits` in any order.

        The very bytes that were read if there is none. Where edits meet, the larger one wins: a CUT makes all edits
        behind it moot, unreachable code goes with its edits, and FALL wins over JUMP at the same jump. All edits of a
        method are moot if its code would get too long for a method, or a jump in it too far, as happens when a call
        with many arguments becomes many instructions in one of 32 kB.
        """
        of_method = listed_by(lambda number: self.edits[number].method, chosen)
        methods = list(self._tree.methods)
        for number, those in of_method.items():
            methods[number] = self._known_method(number, those) or methods[number]
        tree = self._tree._replace(methods=tuple(methods))
        return self._source if tree.methods == self._tree.methods else tree.written()

    def _known_method(self, number: int, chosen: list[int]) -> MemberTree | None:
        """Return a method with the ``chosen`` edits, remembered for the next time."""
        known = self._known[number]
        key = frozenset(chosen)
        if key not in known:
            if len(known) >= _REMEMBERED:
                del known[next(iter(known))]
            known[key] = self._changed(number, [self.edits[number] for number in chosen])
        return known[key]

    def _changed(self, number: int, edits: list[Edit]) -> MemberTree | None:
        """Return a method with ``edits``, None if it would be too long."""
        cancellation_point()
        code = self._codes[number]
        try:
            return code.method(changed(code, edits, halts=self._halts))
        except TooLongError:
            return None


def _code_of(method: MemberTree) -> tuple[int, frozenset[Symbol]]:
    """Return the bytes of the Code attribute of a method, and the constants that it needs."""
    code = method.attribute(CODE)
    assert code is not None
    names = {text(each.name) for each in (code, *code.inside)}
    return code.size, frozenset().union(*map(needed, names.union(code.symbols)))
