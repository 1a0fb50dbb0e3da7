"""One class, written again and again with other edits of its methods' bodies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cached_property

from core.cancellation import cancellation_point
from core.classfile.class_file import ClassFile
from core.classfile.format_error import reading
from core.classfile.symbolic.pieces import Piece, literal
from core.code.body_layout import TooLongError
from core.code.edit import Edit
from core.code.method_code import codes_of
from core.code.shell import Shell
from core.edits.bodies.offers import offers

_REMEMBERED = 4
"""Versions of a method that are kept: from one candidate to the next few methods change."""
_MOST_SHARE = 4.0
"""Bytes of a class for each byte of its code that are believed to go with it at most: tables of constants do not."""
_MOST_WORK = 200_000
"""Limit on the bytes of a method's code times its edits: up to here the saving of each edit alone is computed."""


class Editor:
    """The edits of a class, and the class with any of them.

    ``cf`` must be as it was parsed. Raises :class:`ClassFormatError` when an attribute is damaged. A method that the
    verifier refuses, or with subroutines (``jsr``), offers no edits. ``halts``: see
    :func:`core.code.change.changed`.
    """

    def __init__(self, cf: ClassFile, *, halts: bool = False) -> None:
        self._halts = halts
        self._source = cf.source
        self._codes = codes_of(cf)
        with reading("an attribute"):
            self._shell = Shell(cf, self._source)
        self._originals: dict[int, tuple[Piece, int]] = {}
        self._edits: tuple[Edit, ...] | None = None
        self._known: dict[int, dict[frozenset[int], Piece | None]] = {number: {} for number in self._codes}

    @property
    def edits(self) -> tuple[Edit, ...]:
        """All edits, by method, offset, kind and index."""
        if self._edits is None:
            self._edits = tuple([edit for number, code in self._codes.items() for edit in offers(number, code)])
        return self._edits

    def saved(self, number: int) -> int:
        """Return the bytes of the class that one of :attr:`edits` saves alone, with constants but without rows of
        BootstrapMethods. For a very long method, return the estimate of the edit, to save time."""
        edit = self.edits[number]
        method = edit.method
        if method not in self._originals:
            self._originals[method] = self._shell.around(method)
        before, others = self._originals[method]
        if len(before) * self._counts[method] > _MOST_WORK:
            return edit.saved
        piece = self._changed(method, [edit])
        return 0 if piece is None else len(before) - len(piece) + self._shell.constant_bytes(before, piece, others)

    @cached_property
    def share(self) -> float:
        """Bytes of the class for each byte of its code: an estimate of the saving with its constants."""
        code = sum(code.flow.blocks[-1].stop for code in self._codes.values())
        return min(_MOST_SHARE, len(self._source) / code) if code else 1.0

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
        of_method: dict[int, list[int]] = {}
        for number in chosen:
            of_method.setdefault(self.edits[number].method, []).append(number)
        codes = {method: self._known_code(method, those) for method, those in of_method.items()}
        changed = {method: piece for method, piece in codes.items() if piece is not None}
        return self._shell.write(changed) if changed else self._source

    def _known_code(self, method: int, chosen: list[int]) -> Piece | None:
        """Return the Code attribute of a method with the ``chosen`` edits, remembered for the next time."""
        known = self._known[method]
        key = frozenset(chosen)
        if key not in known:
            if len(known) >= _REMEMBERED:
                del known[next(iter(known))]
            known[key] = self._changed(method, [self.edits[number] for number in chosen])
        return known[key]

    def _changed(self, method: int, edits: list[Edit]) -> Piece | None:
        """Return the Code attribute of a method with ``edits``, None if it would be too long."""
        cancellation_point()
        code = self._codes[method]
        try:
            content, inside = code.pieces(code.after(edits, halts=self._halts))
        except TooLongError:
            return None
        tables = [_named(name, piece) for name, piece in inside]
        return _named(self._shell.code_names[method], Piece.join([content, literal(len(tables), 2), *tables]))


def _named(name: int, content: Piece) -> Piece:
    """Return an attribute. ``name`` is the index of its name."""
    return Piece.join([Piece(b"\0\0", (0,), (name,)), literal(len(content), 4), content])
