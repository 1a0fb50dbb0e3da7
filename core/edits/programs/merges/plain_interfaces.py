"""Unimplemented interfaces and abstract classes, as classes with native methods: so they can become one with other
classes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from core.classfile.class_file import parse
from core.classfile.descriptors import element_class, told_apart_by
from core.classfile.flags import ABSTRACT, ANNOTATION, ENUM, INTERFACE, MODULE, NATIVE, SUPER
from core.classfile.format_error import ClassFormatError
from core.classfile.pool import DYNAMICS, INTERFACE_METHOD_REF, METHOD_HANDLE, METHOD_REF, METHOD_TYPE
from core.classfile.signatures import TypeParameter, class_names, type_parameters
from core.classfile.symbolic.pieces import Piece
from core.classfile.symbolic.symbol_pool import Symbol, text
from core.classfile.symbolic.symbolic_class import AttributeTree, MemberTree, SymbolicClass
from core.code.change import replaced
from core.code.method_code import code_of
from core.code.ops import NOP
from core.code.types.code_facts import CodeReader
from core.code.types.symbols import INVOKEINTERFACE, INVOKEVIRTUAL
from core.edits.programs.nesting import is_nested
from core.edits.programs.program import OBJECT, WholeProgram, parameters
from core.edits.programs.replaced_types import named_types

_MADE = frozenset((METHOD_HANDLE, METHOD_TYPE, *DYNAMICS))
"""Tags of constants that may make an object of an interface, or call a method as one of an interface."""
_NOPS = b"\0\0"
"""Two instructions that do nothing: ``invokevirtual`` is shorter by these."""
_DESCRIPTION = "package-info"


def unimplemented(program: WholeProgram) -> frozenset[str]:
    """Return the interfaces and abstract classes that can become concrete classes.

    No class or lambda implements one. The verifier treats an interface as Object (JVMS 4.10.1.2), so every value in use
    as one must be of it. No value of another class is cast to one either: source could not do that.
    """
    alone = [tree for tree in program.classes if tree.access & ABSTRACT and _is_alone(tree, program)]
    found = {tree.name for tree in alone if tree.access & INTERFACE}
    classes = {tree.name for tree in alone if not tree.access & INTERFACE and tree.superclass == OBJECT}
    if found:
        found -= set(_made(program))
    if found:
        found -= set(_bounds(program, found))
    if found:
        found -= set(_met(program, found))
    return frozenset(found | classes)


def as_classes(program: WholeProgram, names: Collection[str]) -> WholeProgram:
    """Return the program in which interfaces and abstract classes of some names are classes."""

    def attributes(found: tuple[AttributeTree, ...]) -> tuple[AttributeTree, ...]:
        return tuple([_used_as_class(each, names) for each in found])

    def changed(tree: SymbolicClass) -> SymbolicClass:
        methods = [each._replace(attributes=attributes(each.attributes)) for each in tree.methods]
        if tree.name not in names:
            return tree._replace(methods=tuple(methods), attributes=attributes(tree.attributes))
        return tree._replace(
            access=tree.access & ~(INTERFACE | ABSTRACT) | SUPER,
            methods=tuple(map(_native, methods)),
            attributes=attributes(tree.attributes),
        )

    def shorter(tree: SymbolicClass) -> SymbolicClass:
        after = changed(tree)
        calls = any(_calls(symbol, names) for symbol in tree.symbols)
        return _without_nops(after) if calls else after

    return program.mapped(shorter) if names else program


def _is_alone(tree: SymbolicClass, program: WholeProgram) -> bool:
    """Return True for a class without interfaces and subclasses, in which no method of Object is abstract."""
    if tree.access & (ANNOTATION | ENUM | MODULE) or tree.interfaces:
        return False
    if program.below(tree.name) or tree.name in program.fixed or tree.name in program.in_rows:
        return False
    if is_nested(tree) or tree.attribute("PermittedSubclasses") or tree.name.endswith(_DESCRIPTION):
        return False
    objects = {told_apart_by(*key) for key in program.declared(OBJECT)}
    return objects.isdisjoint(parameters(method) for method in tree.methods if method.access & ABSTRACT)


def _made(program: WholeProgram) -> Iterator[str]:
    """Yield the classes that lambdas, handles of methods and the like name."""
    for symbol in {each for tree in program.classes for each in tree.symbols if each.tag in _MADE}:
        yield from named_types(symbol.tag, symbol.content)
        yield from (owner for owner, _, _ in symbol.members)


def _bounds(program: WholeProgram, names: Collection[str]) -> Iterator[str]:
    """Yield the interfaces behind another bound of a type variable, and those that type annotations may name by the
    bound's number.
    """
    for tree in program.classes:
        owners: tuple[SymbolicClass | MemberTree, ...] = (tree, *tree.methods)
        for owner in owners:
            annotated = any("TypeAnnotations" in each.name for each in owner.attributes)
            try:
                found, _ = type_parameters(owner.signature)
                for each in found:
                    free = bool(each.bound) or annotated or "." in "".join(each.interfaces[:1])
                    for bound in each.interfaces if free else each.interfaces[1:]:
                        yield from class_names(bound)
            except ClassFormatError:
                yield from names


def _met(program: WholeProgram, names: Collection[str]) -> Iterator[str]:
    """Yield the interfaces that values of other classes are used as, cast to or compared with."""
    for data in program.files:
        cf = parse(data)
        reader = CodeReader(cf)
        try:
            for method in cf.methods:
                for value, wanted in reader.met_types(method):
                    if value != wanted:
                        yield element_class(wanted) or ""
        except (ClassFormatError, IndexError):
            yield from names


def _native(method: MemberTree) -> MemberTree:
    """Return an abstract method as a native one; another one as it is."""
    return method._replace(access=method.access ^ (ABSTRACT | NATIVE)) if method.access & ABSTRACT else method


def _used_as_class(attribute: AttributeTree, names: Collection[str]) -> AttributeTree:
    """Return an attribute of a member or class in which some interfaces are classes: calls and bounds differ."""
    if attribute.name == "Signature":
        return attribute.mapped(lambda _, symbol: text(_bounded(symbol.text, names)))
    content = attribute.content
    if attribute.name != "Code" or not any(_calls(key, names) for key in content.keys):
        return attribute
    data, keys = bytearray(content.data), list(content.keys)
    for number, (at, key) in enumerate(zip(content.offsets, content.keys, strict=True)):
        if isinstance(key, Symbol) and _calls(key, names):
            keys[number] = Symbol(METHOD_REF, key.content)
            if data[at - 1] == INVOKEINTERFACE:
                data[at - 1] = INVOKEVIRTUAL
                data[at + 2 : at + 4] = _NOPS
    return attribute._replace(content=Piece(bytes(data), content.offsets, keys))


def _without_nops(tree: SymbolicClass) -> SymbolicClass:
    """Return a class without ``nop`` in the code that can be edited."""

    def shorter(method: MemberTree) -> MemberTree:
        code = code_of(tree, method)
        if code is None:
            return method
        change = replaced(code, lambda op, _: () if op.opcode == NOP else (op,))
        return code.method(change) if change.ops else method

    return tree.with_methods(shorter)


def _calls(key: object, names: Collection[str]) -> bool:
    return isinstance(key, Symbol) and key.tag == INTERFACE_METHOD_REF and key.content[0] in names


def _bounded(signature: str, names: Collection[str]) -> str:
    """Return a signature in which the bounds of type variables are of classes, not of interfaces."""
    try:
        found, end = type_parameters(signature)
    except ClassFormatError:
        return signature
    if not any(each.interfaces and _class_of(each.interfaces[0]) in names for each in found):
        return signature
    parameters = [
        TypeParameter(each.name, each.interfaces[0], each.interfaces[1:])
        if not each.bound and each.interfaces and _class_of(each.interfaces[0]) in names
        else each
        for each in found
    ]
    return f"<{''.join(map(str, parameters))}>{signature[end:]}"


def _class_of(bound: str) -> str:
    """Return the class of a bound that is no nested class of a generic one."""
    return bound[1:-1].partition("<")[0]
