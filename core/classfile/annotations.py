"""Annotations of all kinds (JVMS 4.7.16 to 4.7.22): their ranges of bytes, and the types they name."""

from __future__ import annotations

import struct
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from core.classfile.format_error import ClassFormatError, reading

_U2 = struct.Struct(">H")
_CONSTANTS = b"BCDFIJSZs"
"""Kinds of values that are one constant."""
_STRING = ord("s")
_VISIBILITY = ("RuntimeVisible", "RuntimeInvisible")
PLAIN = frozenset(f"{prefix}Annotations" for prefix in _VISIBILITY)
PARAMETER = frozenset(f"{prefix}ParameterAnnotations" for prefix in _VISIBILITY)
TYPE = frozenset(f"{prefix}TypeAnnotations" for prefix in _VISIBILITY)
DEFAULT = "AnnotationDefault"
ATTRIBUTES = PLAIN | PARAMETER | TYPE | {DEFAULT}


def descriptors(name: str, data: bytes) -> list[int]:
    """Return the pool indexes of the type descriptors in the content ``data`` of the attribute ``name``.

    These are the annotations' own types, the types of enum constants, and class values;
    nested annotations and arrays included. Raises :class:`ClassFormatError`.
    """
    return _walked(name, data).found


class Target(NamedTuple):
    """The place in the program that a type annotation annotates (JVMS 4.7.20.1)."""

    kind: int
    """``target_type``."""
    number: int
    """Number of the type parameter, supertype, parameter, thrown type, handler, or offset in the code; else 0."""
    second: int
    """Number of the bound or type argument; else 0."""
    at: int
    """Offset of ``number`` in the attribute's content, if it has two bytes."""
    generic: bool
    """True if the place can only be found with the help of the generic signature."""

    def __str__(self) -> str:
        return _PLACES.get(self.kind, "{0.kind:#x}").format(self)


class Annotation(NamedTuple):
    """An annotation in the content of its attribute; all numbers are offsets there."""

    start: int
    """Start of the annotation, for a type annotation with its target and path."""
    end: int
    places: tuple[int, ...]
    """Pool indexes (two bytes each), nested annotations included, ascending."""
    types: tuple[int, ...]
    """Offsets of type descriptors among them; the first is the annotation's own type."""
    target: Target | None
    """None unless it is a type annotation."""


def read(name: str, data: bytes) -> list[list[Annotation]]:
    """Return the annotations in the content ``data`` of the attribute ``name``.

    One list a parameter for parameter annotations, a single list for all others. Raises :class:`ClassFormatError`.
    """
    return _walked(name, data).annotations


class AnnotationUse(NamedTuple):
    """The names in an annotation or a default value, nested annotations included; types are descriptors."""

    type: str
    """Its own type; empty for a default value."""
    elements: tuple[tuple[str, str], ...]
    """Annotation types and the elements of theirs that are set."""
    constants: tuple[tuple[str, str], ...]
    """Enum types and constants."""
    classes: tuple[str, ...]
    """Class values, ``V`` for ``void.class``, and the types of nested annotations."""


def used_by(data: bytes, annotation: Annotation, text: Callable[[int], str]) -> AnnotationUse:
    """Return the names in one annotation of :func:`read`. ``text`` reads a Utf8 constant of the pool."""
    return _used(_annotation(data, annotation.types[0]), 1, text)


def used_by_default(data: bytes, text: Callable[[int], str]) -> AnnotationUse:
    """Return the names in the content of an AnnotationDefault."""
    return _used(_walked(DEFAULT, data), 0, text)


def _used(walk: _Walk, own: int, text: Callable[[int], str]) -> AnnotationUse:
    """Return the names that a walk has passed; ``own`` is the number of own types before the values."""

    def name(at: int) -> str:
        return text(_U2.unpack_from(walk.data, at)[0])

    enums = set(walk.constants.values())
    return AnnotationUse(
        "".join(map(name, walk.types[:own])),
        tuple((name(owner), name(at)) for at, owner in walk.elements.items()),
        tuple((name(owner), name(at)) for at, owner in walk.constants.items()),
        tuple(name(at) for at in walk.types[own:] if at not in enums),
    )


class TextPlaces(NamedTuple):
    """The offsets of texts in the content of an attribute with annotations."""

    types: tuple[int, ...]
    elements: dict[int, int]
    """Names of elements, each with the offset of the annotation type that declares it."""
    constants: dict[int, int]
    """Names of enum constants, each with the offset of the enum type."""
    strings: tuple[int, ...]


def text_places(name: str, data: bytes) -> TextPlaces:
    """Return the offsets of all texts in the content ``data`` of the attribute ``name``, by their roles.

    Raises :class:`ClassFormatError`.
    """
    walk = _walked(name, data)
    return TextPlaces(tuple(walk.types), walk.elements, walk.constants, tuple(walk.strings))


def default_places(data: bytes) -> list[int]:
    """Return the offsets of the pool indexes in the content of an AnnotationDefault."""
    return _walked(DEFAULT, data).places


_PLACES = {
    0x00: "type parameter {0.number}", 0x01: "type parameter {0.number}", 0x10: "supertype {0.number}",
    0x11: "bound {0.number}.{0.second}", 0x12: "bound {0.number}.{0.second}", 0x13: "type", 0x14: "return",
    0x15: "receiver", 0x16: "type of parameter {0.number}", 0x17: "throws {0.number}", 0x40: "variable",
    0x41: "resource", 0x42: "catch {0.number}", 0x43: "instanceof at {0.number}", 0x44: "new at {0.number}",
    0x45: "constructor reference at {0.number}", 0x46: "method reference at {0.number}", 0x47: "cast at {0.number}",
    0x48: "argument {0.second} at {0.number}", 0x49: "argument {0.second} at {0.number}",
    0x4A: "argument {0.second} at {0.number}", 0x4B: "argument {0.second} at {0.number}",
}  # fmt: skip
_OF_SIGNATURE = (0x00, 0x01, 0x11, 0x12)
_INTO_ARGUMENTS = (2, 3)  # path steps to the bound of a wildcard and to a type argument


@lru_cache(maxsize=1 << 12)  # several readers of one class ask, and its members often have the same annotations
def _walked(name: str, data: bytes) -> _Walk:
    """Return a walk through the whole content ``data`` of the attribute ``name``; not to be changed."""
    walk = _Walk(data)
    with reading(f"the attribute {name}"):
        if name == DEFAULT:
            walk.values([(1, -1)])
        else:
            for _ in range(walk.u1() if name in PARAMETER else 1):
                walk.annotations.append([walk.one(typed=name in TYPE) for _ in range(walk.u2())])
    if walk.at != len(data):
        raise ClassFormatError(f"the attribute {name} is longer than its content")
    return walk


@lru_cache(maxsize=1 << 10)
def _annotation(data: bytes, at: int) -> _Walk:
    """Return a walk through the annotation at ``at``; not to be changed."""
    walk = _Walk(data)
    walk.at = at
    walk.annotation()
    return walk


class _Walk:
    """A place in the content of an attribute, and the findings so far.

    ``found`` are the pool indexes of type descriptors, ``types`` their offsets, ``places`` the offsets of all pool
    indexes. ``elements`` and ``constants`` are the offsets of names, each with the offset of its declaring type,
    ``strings`` those of texts.

    Nested values are worked off from a stack of counts, so that deep nesting cannot
    exhaust Python's.
    """

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0
        self.found: list[int] = []
        self.types: list[int] = []
        self.places: list[int] = []
        self.elements: dict[int, int] = {}
        self.constants: dict[int, int] = {}
        self.strings: list[int] = []
        self.annotations: list[list[Annotation]] = []

    def u1(self) -> int:
        self.at += 1
        return self.data[self.at - 1]

    def u2(self) -> int:
        self.at += 2
        return int(_U2.unpack_from(self.data, self.at - 2)[0])

    def index(self) -> None:
        self.places.append(self.at)
        self.at += 2

    def type(self) -> None:
        self.types.append(self.at)
        self.places.append(self.at)
        self.found.append(self.u2())

    def one(self, typed: bool) -> Annotation:
        """Return the annotation (with ``typed`` a type annotation) that starts here."""
        start, places, types = self.at, len(self.places), len(self.types)
        target = self.target() if typed else None
        self.annotation()
        return Annotation(start, self.at, tuple(self.places[places:]), tuple(self.types[types:]), target)

    def annotation(self) -> None:
        self.type()
        self.values([(self.u2(), self.types[-1])])

    def values(self, open_: list[tuple[int, int]]) -> None:
        """Read the values announced on the stack: (number of values, offset of the annotation type that declares their
        names; -1 for values without names).
        """
        while open_:
            count, owner = open_.pop()
            if not count:
                continue
            open_.append((count - 1, owner))
            if owner >= 0:
                self.elements[self.at] = owner
                self.index()
            tag = self.u1()
            if tag in _CONSTANTS:
                if tag == _STRING:
                    self.strings.append(self.at)
                self.index()
            elif tag == 0x65:  # e: an enum constant, its type and its name
                self.type()
                self.constants[self.at] = self.types[-1]
                self.index()
            elif tag == 0x63:  # c: a class
                self.type()
            elif tag == 0x40:  # @
                self.type()
                open_.append((self.u2(), self.types[-1]))
            elif tag == 0x5B:  # [
                number = self.u2()
                end = self.at + 3 * number
                if end > len(self.data) or self.data[self.at : end : 3].translate(None, _CONSTANTS):
                    open_.append((number, -1))
                else:  # numbers or texts, hundreds of them in what Kotlin and Scala write
                    self.places.extend(range(self.at + 1, end, 3))
                    self.strings.extend(at + 1 for at in range(self.at, end, 3) if self.data[at] == _STRING)
                    self.at = end
            else:
                raise ClassFormatError(f"unknown kind {tag} of annotation value")

    def target(self) -> Target:
        """Return the place that a type annotation annotates (JVMS 4.7.20.1), and the path into the type."""
        kind = self.u1()
        at, number, second = self.at, 0, 0
        if kind in (0x00, 0x01, 0x16):
            number = self.u1()
        elif kind in (0x11, 0x12):
            number, second = self.u1(), self.u1()
        elif kind in (0x10, 0x17, *range(0x42, 0x47)):
            number = self.u2()
        elif kind in (0x40, 0x41):
            rows = self.u2()
            self.at += 6 * rows
        elif kind in range(0x47, 0x4C):
            number, second = self.u2(), self.u1()
        elif kind not in (0x13, 0x14, 0x15):
            raise ClassFormatError(f"unknown kind {kind} of type annotation")
        steps = [(self.u1(), self.u1())[0] for _ in range(self.u1())]
        generic = kind in _OF_SIGNATURE or any(step in _INTO_ARGUMENTS for step in steps)
        return Target(kind, number, second, at, generic)
