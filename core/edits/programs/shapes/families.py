"""Families of methods whose descriptors change together: those related by overriding, with the same name and
descriptor.

Everything but a call that could tell two descriptors apart stops it: an overridden method of a library or one of the
same name, another method of the name, a method handle, a lambda, an enclosing method, a generic signature or an
annotation of parameters, a native method, the implicit parameters of enums, records and inner classes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

import networkx as nx

from core.classfile.descriptors import method_types
from core.classfile.flags import ANNOTATION, BRIDGE, ENUM, INTERFACE, MODULE, NATIVE, STATIC, SYNTHETIC, VARARGS
from core.classfile.format_error import ClassFormatError
from core.classfile.pool import DYNAMICS, INTERFACE_METHOD_REF, METHOD_HANDLE, METHOD_REF
from core.classfile.signatures import parsed
from core.classfile.symbolic.contents import flags_of, inner_classes, inner_of
from core.classfile.symbolic.symbol_pool import Reference, Symbol
from core.classfile.symbolic.symbolic_class import MemberTree, SymbolicClass
from core.code.method_code import MethodCode, code_of
from core.code.ops import Op, argument_widths
from core.edits.programs.classes_around import enclosing_method
from core.edits.programs.program import CONSTRUCTOR, OBJECT, WholeProgram
from core.sets import listed_by

_REMEMBERED = 512
"""Number of classes whose calls are remembered."""
_IMPLICIT = BRIDGE | NATIVE | SYNTHETIC
"""Bridges, native and synthetic methods."""
_SPECIAL = ANNOTATION | ENUM | MODULE
"""Annotation types, enums, modules."""
_PLAIN = frozenset(
    ("Code", "Exceptions", "Deprecated", "RuntimeVisibleAnnotations", "RuntimeInvisibleAnnotations", "Signature")
)
"""Attributes of a method that say no more of its parameters than their types."""
OF_CODE = frozenset(("LineNumberTable", "LocalVariableTable", "LocalVariableTypeTable", "StackMapTable"))
"""Attributes of code that edits of code keep right."""
_STARTS = frozenset(("main", "premain", "agentmain"))
_CALLS = range(0xB6, 0xBA)
METHOD_REFERENCES = (METHOD_REF, INTERFACE_METHOD_REF)


class Call(NamedTuple):
    """A call of a method."""

    reference: Reference
    first: int
    """The first of the arguments from which on each is pushed by one instruction."""
    local: bool
    """True if a local class makes the call."""


class _Calls(NamedTuple):
    """The calls in a class."""

    calls: tuple[Call, ...]
    told: frozenset[str]
    """Names of methods with other mentions than calls."""


class Declared(NamedTuple):
    """A method as a class declares it."""

    tree: SymbolicClass
    method: MemberTree

    @property
    def code(self) -> MethodCode | None:
        """The code; None if there is none, or none that can be edited."""
        return code_of(self.tree, self.method)


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
    """Number of the first parameters that the compiler adds: an inner class's enclosing object."""
    is_generic: bool
    """True if a method declares type parameters."""

    @property
    def takes_any_number(self) -> bool:
        """True if calls in source give a variable number of arguments."""
        return any(each.method.access & VARARGS for each in self.methods)


def method_families(program: WholeProgram) -> list[MethodFamily]:
    """Return the methods whose descriptors can change, in the order of the classes."""
    classes = program.by_name
    if len(classes) < len(program.classes):
        return []
    made = list(map(_calls, program.classes))
    told = frozenset().union(*[each.told for each in made])
    calls = listed_by(lambda call: call.reference[1:], (call for each in made for call in each.calls))
    found: list[MethodFamily] = []
    for owners in _related(classes):
        inherited = _names_of(owners, program)
        declared = (
            Declared(classes[owner], method)
            for owner in classes
            if owner in owners
            for method in classes[owner].methods
        )
        for name, methods in listed_by(lambda each: each.method.name, declared).items():
            if name in told:
                continue
            if name == CONSTRUCTOR:  # of each class its own
                for one, own in groupby(methods, lambda each: each.tree.name):
                    found += _families(frozenset((one,)), name, list(own), calls)
            elif inherited is not None and name not in inherited:
                found += _families(owners, name, methods, calls)
    order = {name: place for place, name in enumerate(classes)}
    return sorted(found, key=lambda each: (min(map(order.__getitem__, each.owners)), each.name))


def simply_pushed(ops: Sequence[Op], place: int, descriptor: str) -> int:
    """Return the number of the first simple argument of the call at ``place``. One instruction without other effect
    pushes each of the simple arguments, right before the call."""
    widths = argument_widths(descriptor)
    index = len(widths)
    while index and place:
        op = ops[place - 1]
        if op.inputs != () or op.pops or op.pushes != widths[index - 1]:
            break
        index, place = index - 1, place - 1
    return index


@lru_cache(_REMEMBERED)
def _calls(tree: SymbolicClass) -> _Calls:
    symbols = [each for symbol in set(tree.symbols) for each in symbol.all]
    told = {str(each.content[1]) for each in symbols if each.tag in DYNAMICS}
    told.update(name for each in symbols if each.tag == METHOD_HANDLE for _, name, _ in _methods(each.content[1]))
    around = enclosing_method(tree)
    if around is not None:
        told.add(around[1])
    calls = []
    for method in tree.methods:
        code = code_of(tree, method)
        if code is None:
            if method.attribute("Code"):
                told.update(name for each in symbols for _, name, _ in _methods(each))
            continue
        for block in code.flow.blocks:
            for place, op in enumerate(block.ops):
                if op.opcode in _CALLS:
                    (called,) = _methods(code.symbol(op.key))
                    calls.append(Call(called, simply_pushed(block.ops, place, called[2]), _is_local(tree)))
    return _Calls(tuple(calls), frozenset(told))


def _methods(symbol: object) -> Iterator[Reference]:
    """Yield the method that a constant refers to, if it refers to one."""
    if isinstance(symbol, Symbol) and symbol.tag in METHOD_REFERENCES:
        yield from symbol.members


def _is_local(tree: SymbolicClass) -> bool:
    return tree.attribute("EnclosingMethod") is not None


def _related(classes: Mapping[str, SymbolicClass]) -> Iterator[frozenset[str]]:
    """Yield the classes that are above or below one another, or have such a class in common."""
    graph: nx.Graph[str] = nx.Graph()
    graph.add_nodes_from(classes)
    for name, tree in classes.items():
        graph.add_edges_from((name, above) for above in (tree.superclass, *tree.interfaces) if above in classes)
    yield from map(frozenset, nx.connected_components(graph))


def _names_of(owners: Iterable[str], program: WholeProgram) -> set[str] | None:
    """Return the names of the methods in library classes above; None if one of these is unknown."""
    above = {OBJECT, *(each for owner in owners for each in program.supertypes(owner))} - program.by_name.keys()
    if any(program.find(each) is None for each in above):
        return None
    return {method for each in above for method, _ in program.declared(each)}


def _families(
    owners: frozenset[str],
    name: str,
    methods: Sequence[Declared],
    calls: Mapping[tuple[str, str], list[Call]],
) -> Iterator[MethodFamily]:
    """Yield the families of ``methods``, all there are of that name in the classes ``owners``."""
    by_descriptor = listed_by(lambda each: each.method.descriptor, methods)
    if name in _STARTS and any(each.method.access & STATIC for each in methods):
        return
    is_inner = name == CONSTRUCTOR and any(_is_inner(each.tree) for each in methods)
    for descriptor, own in by_descriptor.items():
        called = tuple([call for call in calls.get((name, descriptor), ()) if call.reference[0] in owners])
        if name == CONSTRUCTOR and any(call.local for call in called):
            continue
        if all(map(_is_plain, own)):
            others = frozenset(by_descriptor) - {descriptor}
            generic = any(each.method.signature.startswith("<") for each in own)
            yield MethodFamily(owners, name, descriptor, tuple(own), called, others, int(is_inner), generic)


def _is_plain(declared: Declared) -> bool:
    """Return True if only the descriptor describes the method's parameters, and the method's code is understood."""
    tree, method = declared
    if method.access & _IMPLICIT or tree.access & _SPECIAL or tree.superclass in ("java/lang/Record", "java/lang/Enum"):
        return False
    if not _PLAIN.issuperset(each.name for each in method.attributes):
        return False
    if method.name == CONSTRUCTOR and _is_local(tree):
        return False
    if method.signature and not _fits(method.signature, method.descriptor):
        return False
    code = method.attribute("Code")
    return code is None or (declared.code is not None and OF_CODE.issuperset(each.name for each in code.inside))


def _fits(signature: str, descriptor: str) -> bool:
    """Return True if a signature lists all parameters. A malformed one does not."""
    with suppress(ClassFormatError):
        return parsed(signature).taken == len(method_types(descriptor)[0])
    return False


def _is_inner(tree: SymbolicClass) -> bool:
    """Return True if the class is a member class that is not static. Its constructors take an object of the outer class
    first."""
    own = [row for row in inner_classes(tree) if inner_of(row) == tree.name]
    return any(not flags_of(row) & (STATIC | INTERFACE) for row in own)


def slots_of_parameters(declared: Declared) -> dict[int, int]:
    """Return the local variables that hold the parameters of a method, each with the number of the parameter."""
    found: dict[int, int] = {}
    slot = 0 if declared.method.access & STATIC else 1
    for place, width in enumerate(argument_widths(declared.method.descriptor)):
        found.update(dict.fromkeys(range(slot, slot + width), place))
        slot += width
    return found
