"""The lambdas of a program whose methods nothing else names, and the forms in which they take only what they read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple, cast

from core.classfile.descriptors import method_types
from core.classfile.flags import PRIVATE, STATIC
from core.classfile.pool import INVOKE_DYNAMIC, METHOD_HANDLE, METHOD_TYPE
from core.classfile.symbolic.symbolic_class import MemberTree, Reference, Symbol, SymbolicClass
from core.code.blocks import Flow
from core.code.dataflow.locals import touched
from core.code.method_code import SymbolicCode, code_of
from core.code.ops import argument_widths
from core.code.types.symbols import INVOKEDYNAMIC
from core.edits.programs.class_relations import OBJECT, enclosing_method
from core.edits.programs.program import WholeProgram
from core.edits.programs.shapes.dropping import DEEPEST
from core.edits.programs.shapes.families import OF_CODE, simply_pushed
from core.edits.programs.shapes.method_shapes import strings_of

_FACTORY = ("java/lang/invoke/LambdaMetafactory", "metafactory")
_ATTRIBUTES = frozenset(("Code", "Exceptions", "Deprecated", "Synthetic"))
"""Attributes of a method that say nothing of its parameters."""
_ANY = f"L{OBJECT};"


class MakerParts(NamedTuple):
    """The constants that one names that makes a lambda."""

    factory: Symbol
    erased: Symbol
    """Type of the interface's method."""
    handle: Symbol
    """Of the method with the lambda's code."""
    instantiated: Symbol
    """Type of the interface's method as the lambda has it."""


class LambdaForm(NamedTuple):
    """A lambda after some edits."""

    dropped: frozenset[int]
    """The captured values that go, by number."""
    gone: frozenset[int]
    """The variables that hold these in the lambda's method."""
    retyped: frozenset[int]
    """The variables that hold parameters of other types."""
    is_static: bool
    descriptor: str
    """Of the lambda's method."""
    instantiated: str
    """Descriptor of the interface's method as this lambda has it."""


class Lambda(NamedTuple):
    """A lambda with a private method that nothing else names."""

    method: Reference
    is_static: bool
    site: Symbol
    """The constant that makes the lambda."""
    unread: frozenset[int]
    """Variables of the method that nothing reads or writes."""
    removable: frozenset[int]
    """Captured values that can be taken off the stack."""

    @property
    def captured(self) -> tuple[str, ...]:
        """The types of the captured values."""
        return method_types(str(self.site.content[2]))[0]

    @property
    def _variables(self) -> list[range]:
        """The variables of what the method takes, its object first."""
        found = [] if self.is_static else [range(1)]
        for width in argument_widths(self.method[2]):
            start = found[-1].stop if found else 0
            found.append(range(start, start + width))
        return found

    def form(self, captures: bool, types: bool) -> LambdaForm:
        """Return the lambda without captured values that nothing reads, with the types of its interface, or both."""
        receivers = 0 if self.is_static else 1
        variables, count = self._variables, len(self.captured)
        unread = {place for place, own in enumerate(variables) if self.unread.issuperset(own)}
        dropped = frozenset(unread & self.removable if captures else ())
        taken, result = method_types(self.method[2])
        own = list(taken)
        parts = parts_of(self.site)
        assert parts is not None
        erased, erased_result = method_types(str(parts.erased.content[0]))
        known, known_result = method_types(str(parts.instantiated.content[0]))
        instantiated, retyped = list(known), set[int]()
        for place, type_ in enumerate(erased) if types else ():
            at = count + place - receivers
            if own[at] != type_ and not (count + place in unread and _are_classes(own[at], type_)):
                continue
            retyped.update(variables[count + place] if own[at] != type_ else ())
            own[at] = instantiated[place] = type_
        if types and erased_result == _ANY and _are_classes(result, known_result):
            result = known_result = _ANY
        left = [type_ for place, type_ in enumerate(own, receivers) if place not in dropped]
        gone = frozenset(slot for place in dropped for slot in variables[place])
        return LambdaForm(
            dropped, gone, frozenset(retyped), self.is_static or 0 in dropped,
            f"({''.join(left)}){result}", f"({''.join(instantiated)}){known_result}",
        )  # fmt: skip


def lambdas(program: WholeProgram) -> Iterator[Lambda]:
    """Yield the lambdas whose methods nothing else names, in the order of the classes and methods."""
    if not any(symbol.tag == INVOKE_DYNAMIC for tree in program.classes for symbol in tree.symbols):
        return
    uses = Counter(member for tree in program.classes for symbol in set(tree.symbols) for member in set(symbol.members))
    around = {enclosing_method(tree) for tree in program.classes}
    strings = {name for tree in program.classes for name in strings_of(tree)}
    for tree in program.classes:
        names = Counter([*strings, *(method.name for method in tree.methods)])
        sites = {method: symbol for symbol in set(tree.symbols) if (method := method_of(symbol)) is not None}
        keys = [(tree.name, *method.key) for method in tree.methods]
        chosen = [
            number
            for number, (key, method) in enumerate(zip(keys, tree.methods, strict=True))
            if key in sites and names[method.name] == uses[key] == 1 and key not in around and _is_plain(method)
        ]
        yield from _understood(tree, {number: sites[keys[number]] for number in chosen})


def parts_of(site: Symbol) -> MakerParts | None:
    """Return what a constant names that makes a lambda; None for another constant."""
    if site.tag != INVOKE_DYNAMIC:
        return None
    bootstrap = cast(tuple[Symbol, ...], site.content[0])
    if [each.tag for each in bootstrap] != [METHOD_HANDLE, METHOD_TYPE, METHOD_HANDLE, METHOD_TYPE]:
        return None
    return MakerParts(*bootstrap) if next(iter(bootstrap[0].members))[:2] == _FACTORY else None


def method_of(site: Symbol) -> Reference | None:
    """Return the method with the code of the lambda that a constant makes; None if it makes none."""
    parts = parts_of(site)
    return None if parts is None else next(iter(parts.handle.members))


def _is_plain(method: MemberTree) -> bool:
    """Return True for a private method of whose parameters only the descriptor and the code tell."""
    code = method.attribute("Code")
    if code is None or not method.access & PRIVATE:
        return False
    return _ATTRIBUTES.issuperset(each.name for each in method.attributes) and OF_CODE.issuperset(
        each.name for each in code.inside
    )


def _understood(tree: SymbolicClass, sites: dict[int, Symbol]) -> Iterator[Lambda]:
    """Yield the lambdas of some methods of a class if all code of the class is understood. ``sites`` are by number of
    the method.
    """
    if not sites:
        return
    codes = [code_of(tree, method) for method in tree.methods]
    if any(code is None and method.attribute("Code") for code, method in zip(codes, tree.methods, strict=True)):
        return
    for number, site in sites.items():
        code, is_static = codes[number], bool(tree.methods[number].access & STATIC)
        descriptor = str(site.content[2])
        if code is None or (not is_static and descriptor.startswith("()")):
            continue  # the object is none of the captured values
        method = tree.name, *tree.methods[number].key
        first = _simply_pushed(codes, method, descriptor)
        widths = argument_widths(descriptor)
        removable = [place for place in range(len(widths)) if sum(widths[place + 1 : first]) <= DEEPEST]
        yield Lambda(method, is_static, site, _unread(code.flow), frozenset(removable))


def _unread(flow: Flow) -> frozenset[int]:
    """Return the variables of parameters that nothing reads or writes."""
    used = {slot for block in flow.blocks for op in block.ops for slot, _, _ in touched(op)}
    return frozenset(range(flow.parameters)) - used


def _simply_pushed(codes: Sequence[SymbolicCode | None], method: Reference, descriptor: str) -> int:
    """Return the first of the values from which on each is pushed by one instruction, wherever the lambda with some
    method is made.
    """
    found = [
        simply_pushed(block.ops, place, descriptor)
        for code in codes
        for block in (code.flow.blocks if code is not None else ())
        for place, op in enumerate(block.ops)
        if op.opcode == INVOKEDYNAMIC and code is not None and method_of(code.symbol(op.key)) == method
    ]
    return max(found, default=0)


def _are_classes(*types: str) -> bool:
    """Return True if all types are classes or arrays."""
    return all(type_.startswith(("L", "[")) for type_ in types)
