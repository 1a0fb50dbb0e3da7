"""The facts below the pieces of a class file, and the descriptors that change with these facts."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum

from core.classfile.descriptors import erased
from core.classfile.symbolic.pieces import Choice, Fact, Facts, Node, Piece


class FactKind(Enum):
    """Facts beside "this class is there", each the first element of a tuple.

    The world decides those with (w), the choice of the class's own parts decides the others.
    """

    PERMITTED = "permitted"
    """(w) and the name of a subclass."""
    NEST = "nest"
    """(w) and the name of a nest member."""
    METHOD = "method"
    """(w) and owner, name, descriptor of a method of another class."""
    NATURE = "nature"
    """(w) and the name of a class that its flags call an enum or an annotation type: it is one still."""
    PACKAGE = "package"
    """(w) and the name of a package."""
    TYPE = "type"
    """(w) and the name of a class in a descriptor or a frame: it need not become Object there."""
    VARIABLE = "variable"
    """(w) and the name of a type variable that the class does not declare: something around the class does."""
    SUPERCLASS = "superclass"
    INTERFACE = "interface"
    """And the number of the interface."""
    FIELD = "field"
    """And name and descriptor of the field."""
    SIGNATURE = "signature"
    """And the owner (kind and number) of the signature."""
    THROWS = "throws"
    """And the numbers of the method and the row."""
    UNTOUCHED = "untouched"
    """Gone with any change: for content that cannot be carried over into a rewritten class."""


Erasing = Callable[[str, Callable[[str], bool]], str]
"""Function that returns a descriptor or signature with Object in the place of some classes."""


def fact(*parts: Fact) -> Facts:
    """Return one fact as a set."""
    return frozenset((parts,))


def without_types(text: str, choice: Choice, erase: Erasing = erased) -> str:
    """Return a descriptor with Object in the place of the types that are gone."""
    gone = choice.gone
    return erase(text, lambda name: (FactKind.TYPE, name) in gone)


class Descriptor(Node):
    """The index of a descriptor or generic signature: see :meth:`Decoder.descriptor`. ``erase`` puts Object in the
    place of classes."""

    __slots__ = ("erase", "text")

    def __init__(
        self,
        piece: Piece,
        text: str,
        facts: Facts,
        erase: Erasing = erased,
    ) -> None:
        super().__init__(0, facts, piece)
        self.text = text
        self.erase = erase

    def _emit_changed(self, choice: Choice, out: list[Piece]) -> int:
        out.append(added_index(choice.added.text(without_types(self.text, choice, self.erase))))
        return 2


def added_index(place: int) -> Piece:
    """Return the index of a constant that the writing adds."""
    piece = Piece(b"\0\0", (0,), (place,))
    piece.uses = 0  # whatever is added stays
    return piece
