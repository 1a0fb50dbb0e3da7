"""Annotations of all kinds (JVMS 4.7.16 to 4.7.22): the types they name."""

from __future__ import annotations

import struct

from core.jar.errors import ClassFormatError

_U2 = struct.Struct(">H")
_VISIBILITY = ("RuntimeVisible", "RuntimeInvisible")
PLAIN = frozenset(f"{prefix}Annotations" for prefix in _VISIBILITY)
PARAMETER = frozenset(f"{prefix}ParameterAnnotations" for prefix in _VISIBILITY)
TYPE = frozenset(f"{prefix}TypeAnnotations" for prefix in _VISIBILITY)
DEFAULT = "AnnotationDefault"
ATTRIBUTES = PLAIN | PARAMETER | TYPE | {DEFAULT}


def descriptors(name: str, data: bytes) -> list[int]:
    """Pool indexes of the type descriptors in the content *data* of the attribute *name*.

    These are the annotations' own types, the types of enum constants, and class values;
    nested annotations and arrays included. Raises :class:`ClassFormatError`.
    """
    try:
        walk = _Walk(data)
        if name == DEFAULT:
            walk.value()
        elif name in PLAIN:
            walk.annotations()
        elif name in PARAMETER:
            for _ in range(walk.u1()):
                walk.annotations()
        else:
            for _ in range(walk.u2()):
                walk.target()
                walk.annotation()
    except (IndexError, struct.error):
        raise ClassFormatError(f"the attribute {name} is cut off") from None
    if walk.at != len(data):
        raise ClassFormatError(f"the attribute {name} is longer than its content")
    return walk.found


class _Walk:
    """A place in the content of an attribute, and the indexes found so far.

    Nested values are worked off from a stack of counts, so that deep nesting cannot
    exhaust Python's.
    """

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0
        self.found: list[int] = []

    def u1(self) -> int:
        self.at += 1
        return self.data[self.at - 1]

    def u2(self) -> int:
        self.at += 2
        return int(_U2.unpack_from(self.data, self.at - 2)[0])

    def annotations(self) -> None:
        for _ in range(self.u2()):
            self.annotation()

    def annotation(self) -> None:
        self.found.append(self.u2())
        self.values([(self.u2(), True)])

    def value(self) -> None:
        self.values([(1, False)])

    def values(self, open_: list[tuple[int, bool]]) -> None:
        """Reads what the stack announces: (number of values, whether each has a name before it)."""
        while open_:
            count, named = open_.pop()
            if not count:
                continue
            open_.append((count - 1, named))
            if named:
                self.u2()
            tag = self.u1()
            if tag in b"BCDFIJSZs":
                self.u2()
            elif tag == 0x65:  # e: an enum constant, its type and its name
                self.found.append(self.u2())
                self.u2()
            elif tag == 0x63:  # c: a class
                self.found.append(self.u2())
            elif tag == 0x40:  # @
                self.found.append(self.u2())
                open_.append((self.u2(), True))
            elif tag == 0x5B:  # [
                open_.append((self.u2(), False))
            else:
                raise ClassFormatError(f"unknown kind {tag} of annotation value")

    def target(self) -> None:
        """The place that a type annotation annotates (JVMS 4.7.20.1), and the path into the type."""
        kind = self.u1()
        if kind in (0x00, 0x01, 0x16):
            self.at += 1
        elif kind in (0x10, 0x11, 0x12, 0x17, *range(0x42, 0x47)):
            self.at += 2
        elif kind in (0x40, 0x41):
            rows = self.u2()
            self.at += 6 * rows
        elif kind in range(0x47, 0x4C):
            self.at += 3
        elif kind not in (0x13, 0x14, 0x15):
            raise ClassFormatError(f"unknown kind {kind} of type annotation")
        steps = self.u1()
        self.at += 2 * steps
