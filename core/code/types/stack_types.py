"""Contents of operand stack and local variables, as the interpreter of code sees them.

A place ("slot", JVMS 2.6) is plain data, so that interpreting a jar takes a second and not a minute:

* ``str``: a reference. A class is its internal name, an array its descriptor (``[La/B;``, ``[[I``),
  null the empty text. Several possible types are written in one text, sorted, joined by ``.``
  (which no name has). ``;`` stands for "Object, says a frame": the compiler may have merged
  anything to it; ``[;`` is an array of that.
* ``0``: a primitive; a long or double takes two slots, the second one is False in frames.
* ``-1``: ``this`` before its superclass's constructor ran. ``n + 1``: the uninitialised object of the ``new`` at offset
  n.
* ``ADDRESS - n``: the return address of the subroutine at offset n (``jsr``).
* ``None``: nothing that can be used.

StackMapTable has the types that a compiler promises at jump targets (JVMS 4.7.4).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from core.classfile.code_content import CHOPPED, FULL, ONE_TYPE_FAR, SAME_FAR, frame_rows, number_of
from core.classfile.code_content import OBJECT as OF_CLASS
from core.classfile.descriptors import method_types
from core.classfile.format_error import ClassFormatError

Slot = str | int | None
Slots = list[Slot]

OBJECT = "java/lang/Object"
THROWABLE = "java/lang/Throwable"
NULL = ""
MERGED = ";"
SEPARATOR = "//"
UNINITIALIZED_THIS = -1
ADDRESS = -16


class Shape(NamedTuple):
    """The effect of a call with some descriptor on the stack."""

    arguments: tuple[Slot, ...]
    """Without the receiver."""
    slots: int
    """Number of slots of the arguments."""
    wanted: tuple[tuple[int, str], ...]
    """For each argument that is a reference to more than Object: its place among them, and its type."""
    pushed: tuple[Slot, ...]
    """The result."""
    returned: str | None
    """The required type of ``areturn``'s value; None for any."""


def type_of(descriptor: str) -> str | None:
    """Return the reference type that a field descriptor stands for; None for a primitive."""
    if descriptor[0] == "L":
        return descriptor[1:-1]
    return descriptor if descriptor[0] == "[" else None


def slots_of(descriptor: str) -> tuple[Slot, ...]:
    """Return the slots of a value with this field (or return) descriptor."""
    if descriptor in ("J", "D"):
        return 0, False
    return () if descriptor == "V" else (type_of(descriptor) or 0,)


@lru_cache(maxsize=1 << 15)  # a pure function that a jar asks the same thing again and again
def shape_of(descriptor: str) -> Shape:
    """Return the shape of a method descriptor; :class:`ClassFormatError` if it is none."""
    parameters, result = method_types(descriptor)
    slots = tuple(slot for parameter in parameters for slot in slots_of(parameter))
    wanted = tuple((at, slot) for at, slot in enumerate(slots) if isinstance(slot, str) and slot != OBJECT)
    pushed = slots_of(result)
    returned = pushed[0] if pushed and isinstance(pushed[0], str) and pushed[0] != OBJECT else None
    return Shape(slots, len(slots), wanted, (0, 0) if len(pushed) == 2 else pushed, returned)


@lru_cache(maxsize=1 << 12)
def component(array: str) -> str:
    """Return the type that ``aaload`` gets from an array of this type (or of these types); Object if the type is no
    array."""
    if SEPARATOR in array:
        return join_types(*map(component, array.split(SEPARATOR)))
    if array[:2] == "[L":
        return array[2:-1]
    if array[:1] == "[":
        return array[1:]
    return array and OBJECT


def join_types(*types: str) -> str:
    """Return all types that any of the texts names."""
    names = {name for text in types if text for name in text.split(SEPARATOR)}
    return SEPARATOR.join(sorted(names))


def join(one: Slot, other: Slot) -> Slot:
    """Return the content of a slot at a join of two paths without a frame.

    A reference wins over anything else: in a subroutine (``jsr``) a variable may have one type for one caller and
    another for the next, and each caller uses it with its own.
    """
    if one == other:
        return one
    if isinstance(one, str):
        return join_types(one, other) if isinstance(other, str) else one
    return other if isinstance(other, str) else None


def plain(slot: Slot) -> Slot:
    """Return the type without the mark that a frame says it."""
    if isinstance(slot, str) and slot.endswith(MERGED) and (slot == MERGED or slot[-2] == "["):
        return f"{slot[:-1]}L{OBJECT};" if len(slot) > 1 else OBJECT
    return slot


@lru_cache(maxsize=1 << 15)
def class_pair(source: str, target: str) -> tuple[str, str] | None:
    """Return the two classes whose relation decides whether ``source`` is a ``target``; None if no such question is
    left.

    Arrays of the same dimensions are compared by their elements. Nothing is asked of (or for) Object, primitives, equal
    classes, and an array with a non-array. The first may be ``MERGED``.
    """
    arrays = False
    while source[:1] == "[" and target[:1] == "[":
        source, target, arrays = source[1:], target[1:], True
    if arrays:
        source, target = _element(source), _element(target)
    if source == target or target in ("", OBJECT, MERGED) or source in ("", OBJECT):
        return None
    return None if source[0] == "[" or target[0] == "[" else (source, target)


def _element(descriptor: str) -> str:
    """Return the class of an array's element, an array as it is, nothing for a primitive."""
    return descriptor if descriptor == MERGED else type_of(descriptor) or ""


Frame = tuple[Slots, Slots]
"""Local variables (as many as the frame tells of) and stack, slot by slot. Frames share lists: copy before a change."""

_FIXED: tuple[tuple[Slot, ...], ...] = ((None,), (0,), (0,), (0, False), (0, False), (NULL,), (UNINITIALIZED_THIS,))
"""Slots of the verification types 0 to 6: top, int, float, double, long, null, uninitializedThis."""
FIRST_FRAMES = 50
"""The first version of class files with StackMapTable; verified the old way if that fails."""
_LIMIT = 5_000_000
"""Most slots that the frames of a method may have together, before they are taken for an attack on memory."""


def frames(
    data: bytes, initial: Sequence[Slot], names: Mapping[int, str], mentioned: dict[int, None]
) -> dict[int, Frame]:
    """Return the frames in the attribute's content ``data`` by their offsets, ascending.

    ``initial``: the local variables at the start of the method, receiver and parameters, with which the first frame
    is compared. ``names``: the type for the place of a Class constant. The places that frames use go to ``mentioned``.
    Raises :class:`ClassFormatError`.
    """
    variables, left = list(initial), _LIMIT
    found: dict[int, Frame] = {}
    nothing: Slots = []

    def slots(types: list[int]) -> Slots:
        told: Slots = []
        for type_ in types:
            if type_ < OF_CLASS:
                told += _FIXED[type_]
            elif type_ & 15 == OF_CLASS:
                index = number_of(data, type_)
                mentioned[index] = None
                told.append(names[index])
            else:
                told.append(number_of(data, type_) + 1)
        return told

    for offset, kind, more, stack, _, _ in frame_rows(data):
        if kind >= ONE_TYPE_FAR:
            if kind > SAME_FAR:
                variables = slots(more) if kind == FULL else variables + slots(more)
            elif CHOPPED <= kind < SAME_FAR:
                variables = _chopped(variables, SAME_FAR - kind)
            left -= len(variables)
            if left < 0:
                raise ClassFormatError("the frames of a method are too complex")
        found[offset] = variables, slots(stack) if stack else nothing
    return found


def _chopped(variables: Slots, count: int) -> Slots:
    """Return the variables without the last ``count`` values; a long or double is one value in two slots."""
    left = len(variables)
    for _ in range(count):
        if left == 0:
            raise ClassFormatError("a frame chops more variables than there are")
        left -= 2 if variables[left - 1] is False else 1
    return variables[:left]
