"""Methods whose descriptors can change: those that stand for one another, with the same name and descriptor, change
together.

Everything that could tell two descriptors apart but a call stops it: a method of a library that is overridden or shares
the name, another method of the name, a method handle, a lambda, an enclosing method, a generic signature or an
annotation of parameters, a native method, the implicit parameters of enums, records and inner classes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import NamedTuple

import networkx as nx

from core.bytecode.symbols import Symbols
from core.classfile import pool, tables
from core.classfile.class_file import ClassFile, Method
from core.classfile.descriptors import method_types
from core.classfile.generics.signatures import parameter_types, type_parameters
from core.library.skim import LibraryClass
from core.rewrite.bodies.blocks import Flow
from core.rewrite.bodies.flow import flow_of
from core.rewrite.bodies.ops import Op, argument_widths

CONSTRUCTOR = "<init>"
_STATIC, _NATIVE, _INTERFACE = 0x0008, 0x0100, 0x0200
_IMPLICIT = 0x0040 | _NATIVE | 0x1000
"""Bridges, native and synthetic methods."""
VARARGS = 0x0080
_SPECIAL = 0x2000 | 0x4000 | 0x8000
"""Annotation types, enums, modules."""
_PLAIN = frozenset(
    ("Code", "Exceptions", "Deprecated", "RuntimeVisibleAnnotations", "RuntimeInvisibleAnnotations", "Signature")
)
"""Attributes of a method that say no more of its parameters than their types."""
OF_CODE = frozenset(("LineNumberTable", "LocalVariableTable", "LocalVariableTypeTable", "StackMapTable"))
"""Attributes of code that edits of code keep right."""
_STARTS = frozenset(("main", "premain", "agentmain"))
_CALLS = range(0xB6, 0xBA)
_REFERENCES = (pool.METHOD_REF, pool.INTERFACE_METHOD_REF)

Reference = tuple[str, str, str]
"""Class, name and descriptor of a method."""
Library = Callable[[str], LibraryClass | None]


class Call(NamedTuple):
    """A call of a method."""

    reference: Reference
    first: int
    """The first of the arguments from which on each is pushed by one instruction."""
    local: bool
    """True if a local class makes the call."""


@dataclass
class _Class:
    """A class as it declares and calls methods."""

    cf: ClassFile
    flows: dict[int, Flow]
    calls: list[Call] = field(default_factory=list)
    told: set[str] = field(default_factory=set)
    """Names of methods of which more is said than that they are called."""

    @property
    def is_local(self) -> bool:
        return self.cf.attributes.raw("EnclosingMethod") is not None


class Declared(NamedTuple):
    """A method as a class declares it."""

    cf: ClassFile
    method: Method
    flow: Flow | None


@dataclass(frozen=True, eq=False)
class MethodFamily:
    """The methods of one name and descriptor in classes that are related to each other. Nothing but the descriptor
    tells of their parameters and their result, and the code of all of them is understood.
    """

    owners: frozenset[str]
    name: str
    descriptor: str
    methods: tuple[Declared, ...]
    calls: tuple[Call, ...]
    others: frozenset[str]
    """The descriptors of the other methods of this name in these classes."""
    fixed: int
    """Number of the first parameters that the compiler adds: the object around that of an inner class."""
    is_generic: bool
    """True if a method declares type parameters."""

    @property
    def takes_any_number(self) -> bool:
        """True if calls in source give a variable number of arguments."""
        return any(each.method.access & VARARGS for each in self.methods)


def method_families(classes: Sequence[ClassFile], library: Library) -> list[MethodFamily]:
    """Return the methods whose descriptors can change, in the order of the classes."""
    read = {cf.name: _read(cf) for cf in classes}
    if len(read) < len(classes):
        return []
    told = {name for one in read.values() for name in one.told}
    calls: dict[tuple[str, str], list[Call]] = {}
    for one in read.values():
        for call in one.calls:
            calls.setdefault(call.reference[1:], []).append(call)
    found: list[MethodFamily] = []
    for owners in _related(read):
        inherited = _names_of(owners, read, library)
        for name, methods in _by_name([read[owner] for owner in owners]).items():
            if name in told:
                continue
            if name == CONSTRUCTOR:  # of each class its own
                for one, own in groupby(methods, lambda each: each[0].cf.name):
                    found += _families(frozenset((one,)), name, list(own), calls)
            elif inherited is not None and name not in inherited:
                found += _families(owners, name, methods, calls)
    order = {name: place for place, name in enumerate(read)}
    return sorted(found, key=lambda each: (min(map(order.__getitem__, each.owners)), each.name))


def simply_pushed(ops: Sequence[Op], place: int, descriptor: str) -> int:
    """Return the first of the arguments of the call at ``place`` from which on each is pushed by one instruction, which
    does nothing else; these stand right before it."""
    widths = argument_widths(descriptor)
    index = len(widths)
    while index and place:
        op = ops[place - 1]
        if op.inputs != () or op.pops or op.pushes != widths[index - 1]:
            break
        index, place = index - 1, place - 1
    return index


def references(cf: ClassFile) -> dict[int, Reference]:
    """Return the methods that constants refer to, by their indexes."""
    constants, found = cf.constants, {}
    for index, constant in enumerate(constants.tuples()):
        if constant is not None and constant[0] in _REFERENCES:
            _, name, descriptor = constants.raw(constant[2])
            found[index] = constants.class_name(constant[1]), constants.text(name), constants.text(descriptor)
    return found


def _read(cf: ClassFile) -> _Class:
    symbols, refs = Symbols(cf), references(cf)
    one = _Class(cf, {})
    constants = cf.constants
    for constant in constants.tuples():
        if constant is not None and constant[0] == pool.METHOD_HANDLE and constant[2] in refs:
            one.told.add(refs[constant[2]][1])
        elif constant is not None and constant[0] in (pool.INVOKE_DYNAMIC, pool.DYNAMIC):
            one.told.add(constants.text(constants.raw(constant[2])[1]))
    enclosing = cf.attributes.raw("EnclosingMethod")
    if enclosing is not None and enclosing[2:4] != b"\0\0":
        one.told.add(constants.text(constants.raw(int.from_bytes(enclosing[2:4], "big"))[1]))
    for number, method in enumerate(cf.methods):
        flow = flow_of(cf, symbols, number, method)
        if flow is None:
            if method.attributes.raw("Code") is not None:
                one.told.update(name for _, name, _ in refs.values())
            continue
        one.flows[number] = flow
        for block in flow.blocks:
            for place, op in enumerate(block.ops):
                if op.opcode in _CALLS:
                    called = refs[op.key]
                    one.calls.append(Call(called, simply_pushed(block.ops, place, called[2]), one.is_local))
    return one


def _related(read: Mapping[str, _Class]) -> Iterator[frozenset[str]]:
    """Yield the classes that are above or below one another, or have such a class in common."""
    graph: nx.Graph[str] = nx.Graph()
    graph.add_nodes_from(read)
    for name, one in read.items():
        graph.add_edges_from((name, above) for above in _above(one.cf) if above in read)
    yield from map(frozenset, nx.connected_components(graph))


def _above(cf: ClassFile) -> list[str]:
    return [*([cf.superclass] if cf.superclass else []), *cf.interface_names]


def _names_of(owners: Iterable[str], read: Mapping[str, _Class], library: Library) -> set[str] | None:
    """Return the names of the methods in library classes above; None where one of these is not known."""
    todo = [above for owner in owners for above in _above(read[owner].cf) if above not in read]
    todo.append("java/lang/Object")
    seen: set[str] = set()
    names: set[str] = set()
    while todo:
        name = todo.pop()
        if name in seen:
            continue
        seen.add(name)
        found = library(name)
        if found is None:
            return None
        names.update(method for method, _ in found.methods)
        todo += [*([found.superclass] if found.superclass else []), *found.interfaces]
    return names


def _by_name(classes: Iterable[_Class]) -> dict[str, list[tuple[_Class, int]]]:
    found: dict[str, list[tuple[_Class, int]]] = {}
    for one in classes:
        for number, method in enumerate(one.cf.methods):
            found.setdefault(method.name_text, []).append((one, number))
    return found


def _families(
    owners: frozenset[str],
    name: str,
    methods: list[tuple[_Class, int]],
    calls: Mapping[tuple[str, str], list[Call]],
) -> Iterator[MethodFamily]:
    """Yield the families of ``methods``, all there are of that name in the classes ``owners``."""
    by_descriptor: dict[str, list[tuple[_Class, int, Method]]] = {}
    for one, number in methods:
        method = list(one.cf.methods)[number]
        by_descriptor.setdefault(method.descriptor_text, []).append((one, number, method))
    if name in _STARTS and any(method.access & _STATIC for own in by_descriptor.values() for _, _, method in own):
        return
    is_inner = name == CONSTRUCTOR and any(_is_inner(one.cf) for one, _ in methods)
    for descriptor, own in by_descriptor.items():
        called = tuple([call for call in calls.get((name, descriptor), ()) if call.reference[0] in owners])
        if name == CONSTRUCTOR and any(call.local for call in called):
            continue
        if all(_is_plain(one, number, method) for one, number, method in own):
            declared = tuple([Declared(one.cf, method, one.flows.get(number)) for one, number, method in own])
            others = frozenset(by_descriptor) - {descriptor}
            generic = any(signature_of(each.cf, each.method).startswith("<") for each in declared)
            yield MethodFamily(owners, name, descriptor, declared, called, others, int(is_inner), generic)


def _is_plain(one: _Class, number: int, method: Method) -> bool:
    """Return True if only the descriptor describes the method's parameters, and the method's code is understood."""
    cf = one.cf
    if method.access & _IMPLICIT or cf.access & _SPECIAL or cf.superclass in ("java/lang/Record", "java/lang/Enum"):
        return False
    if not _PLAIN.issuperset(row for row, _ in method.attributes.rows()):
        return False
    if method.name_text == CONSTRUCTOR and one.is_local:
        return False
    signature = signature_of(cf, method)
    if signature and not _fits(signature, method.descriptor_text):
        return False
    code = method.attributes.raw("Code")
    if code is None:
        return True
    return number in one.flows and OF_CODE.issuperset(row for row, _ in tables.code_attributes(cf, code))


def signature_of(cf: ClassFile, method: Method) -> str:
    """Return the generic signature of a method, empty where there is none."""
    data = method.attributes.raw("Signature")
    return cf.constants.text(int.from_bytes(data, "big")) if data is not None else ""


def _fits(signature: str, descriptor: str) -> bool:
    """Return True if a signature lists all parameters."""
    rest = signature[type_parameters(signature)[1] :]
    return rest.startswith("(") and len(parameter_types(rest)[0]) == len(method_types(descriptor)[0])


def _is_inner(cf: ClassFile) -> bool:
    """Return True if the class is a member class that is not static. Its constructors take an object of the outer class
    first."""
    return any(row.inner == cf.name and not row.access & (_STATIC | _INTERFACE) for row in tables.inner_classes(cf))


def slots_of_parameters(declared: Declared) -> dict[int, int]:
    """Return the local variables that hold the parameters of a method, each with the number of the parameter."""
    found: dict[int, int] = {}
    slot = 0 if declared.method.access & _STATIC else 1
    for place, width in enumerate(argument_widths(declared.method.descriptor_text)):
        found.update(dict.fromkeys(range(slot, slot + width), place))
        slot += width
    return found
