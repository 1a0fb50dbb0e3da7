"""The constants of a class as its instructions use them, each looked up once a class."""

from __future__ import annotations

from collections.abc import Container, Sequence
from functools import lru_cache
from typing import Any

from core.classfile import pool
from core.classfile.descriptors import element_class, field_type
from core.classfile.format_error import ClassFormatError
from core.classfile.pool import Constant
from core.code.types.stack_types import MERGED, OBJECT, SEPARATOR, Slot, shape_of, slots_of, type_of

ARGUMENT, RECEIVER, PUT, FIELD_RECEIVER = "argument", "receiver", "put", "field-receiver"
DYNAMIC_ARGUMENT, ELEMENT, RETURN, THROW, CATCH, MERGE, SUPER_INIT, GIVEN = (
    "dynamic-argument", "element", "return", "throw", "catch", "merge", "super-init", "given",
)  # fmt: skip

GETSTATIC, PUTSTATIC, GETFIELD, PUTFIELD = 0xB2, 0xB3, 0xB4, 0xB5
INVOKEVIRTUAL, INVOKESPECIAL, INVOKESTATIC, INVOKEINTERFACE, INVOKEDYNAMIC = 0xB6, 0xB7, 0xB8, 0xB9, 0xBA
LDC, LDC_W, LDC2_W, ANEWARRAY = 0x12, 0x13, 0x14, 0xBD

FIELD_KINDS = {GETSTATIC: "getstatic", PUTSTATIC: "putstatic", GETFIELD: "get", PUTFIELD: "put"}
METHOD_KINDS = {
    INVOKEVIRTUAL: "virtual",
    INVOKESPECIAL: "special",
    INVOKESTATIC: "static",
    INVOKEINTERFACE: "interface",
}
_METHOD_TAGS = {
    INVOKEVIRTUAL: (pool.METHOD_REF,),
    INVOKEINTERFACE: (pool.INTERFACE_METHOD_REF,),
    INVOKESPECIAL: (pool.METHOD_REF, pool.INTERFACE_METHOD_REF),
    INVOKESTATIC: (pool.METHOD_REF, pool.INTERFACE_METHOD_REF),
}

CLASSES, FIELDS, METHODS, ARRAY_METHODS, CALL_SITES, HANDLES, TYPES, CLASS_CONSTANTS, NOTHING = range(9)
"""Groups of names in instructions. For a call on an array the element counts too."""

_LOADED: dict[int, tuple[Slot, ...]] = {
    pool.INTEGER: (0,),
    pool.FLOAT: (0,),
    pool.LONG: (0, 0),
    pool.DOUBLE: (0, 0),
    pool.STRING: ("java/lang/String",),
    pool.CLASS: ("java/lang/Class",),
    pool.METHOD_HANDLE: ("java/lang/invoke/MethodHandle",),
    pool.METHOD_TYPE: ("java/lang/invoke/MethodType",),
}

_LOADABLE = frozenset((pool.DYNAMIC, *_LOADED))

Check = tuple[int, str, str]
"""Depth of a value on the stack (-1 is the top), the type that it must be a subtype of, and why."""


Effect = tuple[tuple[Check, ...], int, tuple[Slot, ...], bool, int, Any]
"""Effect and target of an instruction with a constant: checks; slots taken; slots pushed; whether the lowest slot taken
is a receiver that matters for protected members; group of the target; the target. (A plain tuple: there are many.)"""


class Symbols(dict[int, Effect]):
    """Effects by ``opcode << 16 | index of the constant``. The indexes inside the pool are known to be right."""

    def __init__(self, this: str, places: Sequence[Constant | None]) -> None:
        """``this`` is the name of the class, ``places`` its constants."""
        self.this = this
        self.places = places
        self.types = _Types(self.places)
        self.frame_types = _FrameTypes(self.types)

    def __missing__(self, key: int) -> Effect:
        opcode, index = key >> 16, key & 0xFFFF
        if INVOKEVIRTUAL <= opcode <= INVOKEINTERFACE:
            effect = self._method(opcode, index)
        elif GETSTATIC <= opcode <= PUTFIELD:
            effect = self._field(opcode, index)
        elif opcode in (LDC, LDC_W, LDC2_W):
            effect = self._load(opcode, index)
        elif opcode == INVOKEDYNAMIC:
            _, bootstrap, place = self.constant(index, (pool.INVOKE_DYNAMIC,))
            name, descriptor = self._name_and_type(place)
            checks, slots, pushed = _call(descriptor, DYNAMIC_ARGUMENT)
            effect = (checks, slots, pushed, False, CALL_SITES, ("call", bootstrap, name, descriptor))
        else:
            effect = self._class(opcode, index)
        self[key] = effect
        return effect

    def fact(self, opcode: int, index: int) -> Any:
        """Return what an instruction names: the last of its effect."""
        return self[opcode << 16 | index][5]

    def constant(self, index: int, tags: Container[int]) -> Constant:
        """Return the constant at ``index``, which must be of one of the kinds ``tags``."""
        constant = self.places[index] if index < len(self.places) else None
        if constant is None or constant[0] not in tags:
            raise self._wrong(index)
        return constant

    def _wrong(self, index: int) -> ClassFormatError:
        return ClassFormatError(f"an instruction uses constant {index}, which is missing or of the wrong kind")

    def text(self, index: int) -> str:
        """Return the text of a Utf8 constant."""
        return self.places[index][1]  # type: ignore[index, no-any-return]  # checked when the pool was read

    def _name_and_type(self, index: int) -> tuple[str, str]:
        places: Any = self.places
        _, name, descriptor = places[index]
        return places[name][1], places[descriptor][1]

    def _method(self, opcode: int, index: int) -> Effect:
        # half of all keys: no call that can be spared
        places: Any = self.places
        try:
            tag, owner_index, place = places[index]
        except (IndexError, TypeError, ValueError):
            tag = None
        if tag not in _METHOD_TAGS[opcode]:
            raise self._wrong(index)
        owner = self.types[owner_index]
        _, name_index, descriptor_index = places[place]
        name, descriptor = places[name_index][1], places[descriptor_index][1]
        checks, pops, pushed = _call(descriptor)
        if name == "<init>":  # on something that has no type yet
            if opcode != INVOKESPECIAL or pushed:
                raise ClassFormatError("a constructor is called in a wrong way")
            pops += 1
        elif opcode != INVOKESTATIC:
            pops += 1
            receiver = self.this if opcode == INVOKESPECIAL else owner
            if receiver != OBJECT:
                checks += ((-pops, receiver, RECEIVER),)
        group = METHODS if owner[0] != "[" else ARRAY_METHODS
        fact = (METHOD_KINDS[opcode], owner, name, descriptor, tag == pool.INTERFACE_METHOD_REF)
        return (checks, pops, pushed, opcode == INVOKEVIRTUAL, group, fact)

    def _field(self, opcode: int, index: int) -> Effect:
        _, owner_index, place = self.constant(index, (pool.FIELD_REF,))
        owner = self.types[owner_index]
        name, descriptor = self._name_and_type(place)
        value, wanted = _field(descriptor)
        fact = FIELD_KINDS[opcode], owner, name, descriptor
        if opcode == GETFIELD:
            return (((-1, owner, FIELD_RECEIVER),), 1, value, True, FIELDS, fact)
        if opcode == GETSTATIC:
            return ((), 0, value, False, FIELDS, fact)
        checks = ((-1, wanted, PUT),) if wanted else ()
        if opcode == PUTSTATIC:
            return (checks, len(value), (), False, FIELDS, fact)
        pops = len(value) + 1
        return ((*checks, (-pops, owner, FIELD_RECEIVER)), pops, (), True, FIELDS, fact)

    def _load(self, opcode: int, index: int) -> Effect:
        constant = self.constant(index, _LOADABLE)
        tag = constant[0]
        slots = _LOADED.get(tag, ())
        group = NOTHING
        fact: Any = None
        if tag == pool.CLASS:
            group, fact = CLASS_CONSTANTS, self.types[index]
        elif tag == pool.DYNAMIC:
            name, descriptor = self._name_and_type(constant[2])
            slots = _field(descriptor)[0]
            group, fact = CALL_SITES, ("constant", constant[1], name, descriptor)
        elif tag == pool.METHOD_TYPE:
            group, fact = TYPES, self.text(constant[1])
            shape_of(fact)
        elif tag == pool.METHOD_HANDLE:
            kind, owner, place = self.places[constant[2]]  # type: ignore[misc]
            is_interface = kind == pool.INTERFACE_METHOD_REF
            group = HANDLES
            fact = constant[1], self.types[owner], *self._name_and_type(place), is_interface
        if (len(slots) == 2) != (opcode == LDC2_W):
            raise ClassFormatError(f"constant {index} is loaded by the wrong instruction")
        return ((), 0, slots, False, group, fact)

    def _class(self, opcode: int, index: int) -> Effect:
        self.constant(index, (pool.CLASS,))
        name = self.types[index]
        element = element_class(name)
        group = CLASSES if element else NOTHING
        if opcode == ANEWARRAY:
            array = f"[{name}" if name[0] == "[" else f"[L{name};"
            return ((), 1, (array,), False, group, element)
        return ((), 0, (), False, group, element)


@lru_cache(maxsize=1 << 15)  # pure, and a jar asks the same thing again and again
def _call(descriptor: str, reason: str = ARGUMENT) -> tuple[tuple[Check, ...], int, tuple[Slot, ...]]:
    """Return the checks of the arguments, the slots taken and the slots pushed. A check against Object always holds,
    and tells which value is given for Object."""
    shape = shape_of(descriptor)
    checks = tuple([(at - shape.slots, wanted, reason) for at, wanted in shape.wanted])
    checks += tuple([(at - shape.slots, OBJECT, GIVEN) for at, slot in enumerate(shape.arguments) if slot == OBJECT])
    return checks, shape.slots, shape.pushed


@lru_cache(maxsize=1 << 12)
def _field(descriptor: str) -> tuple[tuple[Slot, ...], str | None]:
    """Return the slots of a field's value, and the required type of a stored value; None for any."""
    slots = slots_of(field_type(descriptor))
    wanted = type_of(descriptor)
    return (0, 0) if len(slots) == 2 else slots, None if wanted == OBJECT else wanted


class _Types(dict[int, str]):
    """The reference type of each Class constant."""

    def __init__(self, places: Sequence[Constant | None]) -> None:
        self.places = places

    def __missing__(self, index: int) -> str:
        constant = self.places[index] if 0 < index < len(self.places) else None
        if constant is None or constant[0] != pool.CLASS:
            raise ClassFormatError(f"constant {index} is used as a class and is none")
        name: str = self.places[constant[1]][1]  # type: ignore[index]
        if name[:1] == "[":
            field_type(name)
        elif not name or SEPARATOR in name or ";" in name or "[" in name:
            raise ClassFormatError(f"{name!r} is no name for a class")
        self[index] = name
        return name


class _FrameTypes(dict[int, str]):
    """The same for frames, where Object may stand for anything."""

    def __init__(self, types: _Types) -> None:
        self.types = types

    def __missing__(self, index: int) -> str:
        name = self.types[index]
        if name == OBJECT:
            name = MERGED
        elif name[0] == "[" and name.endswith(f"[L{OBJECT};"):
            name = name[: -len(OBJECT) - 2] + MERGED
        self[index] = name
        return name
