"""Members and signatures of classes that become one: equal ones, replaced ones, and renamed ones."""

from __future__ import annotations

from collections.abc import Mapping

from core.classfile.annotations import TYPE
from core.classfile.descriptors import Parameters
from core.classfile.flags import ABSTRACT, NATIVE, PUBLIC, STATIC
from core.classfile.format_error import ClassFormatError
from core.classfile.pool import CLASS, INTERFACE_METHOD_REF, METHOD_REF, STRING
from core.classfile.signatures import type_parameters
from core.classfile.symbolic.contents import bytes_of
from core.classfile.symbolic.symbol_pool import Reference, Symbol
from core.classfile.symbolic.symbolic_class import AttributeTree, MemberTree, SymbolicClass
from core.edits.programs.program import CONSTRUCTOR, WholeProgram, parameters

_STACK_MAPS = 50
"""Version of class files from which on stack maps are read; a class of version 50 may do without them."""
_CALL_OF_SUPER = b"\x2a\xb7"
"""``aload_0``, ``invokespecial``."""
_RETURN = 0xB1


def makes_objects(method: MemberTree, name: str) -> bool:
    """Return True if a method may make objects of a class."""
    return any(Symbol(CLASS, (name,)) in each.symbols for each in method.attributes)


def gives_way(method: MemberTree) -> bool:
    """Return True for a replaceable method, which does nothing: it is abstract or native, returns a constant or a
    parameter, or only calls the superclass's constructor without parameters.
    """
    if method.access & (ABSTRACT | NATIVE):
        return True
    code = method.attribute("Code")
    if code is None:
        return False
    instructions = bytes_of(code)
    if len(instructions) == 5:
        return instructions.startswith(_CALL_OF_SUPER) and instructions[-1] == _RETURN
    return len(instructions) <= 2


def same_family(one: int, other: int) -> bool:
    """Return True if the code of two versions of class files is verified in the same way."""
    return one == other or (one - _STACK_MAPS) * (other - _STACK_MAPS) > 0


def implements_all(above: SymbolicClass, below: SymbolicClass) -> bool:
    """Return True if a class that is not abstract implements every abstract method of another one."""
    if below.access & ABSTRACT:
        return True
    concrete = {method.key for method in below.methods if not method.access & ABSTRACT}
    return all(method.key in concrete for method in above.methods if method.access & ABSTRACT)


def fields_agree(one: SymbolicClass, other: SymbolicClass) -> bool:
    """Return True if the fields of the same name in two classes are the same fields. An obfuscator gives one name to
    fields of several types.
    """
    own = {member.key: member for member in one.fields}
    names = {member.name for member in one.fields}
    for member in other.fields:
        same = own.get(member.key)
        if same is None:
            if member.name in names:
                return False
        elif (same.access ^ member.access) & STATIC or not _is_same(
            same.attribute("ConstantValue"), member.attribute("ConstantValue")
        ):
            return False
    return True


def disagreeing(one: SymbolicClass, other: SymbolicClass) -> list[Parameters]:
    """Return name and parameters of the methods of two classes of which none can stand for both; bridges have equal
    ones, too.
    """
    own, others = _by_parameters(one), _by_parameters(other)
    return [
        key
        for key in own.keys() & others.keys()
        if own[key].keys() != others[key].keys()
        or not all(_one_suffices(own[key][each], others[key][each]) for each in own[key])
    ]


def constructors_agree(above: SymbolicClass, below: SymbolicClass) -> bool:
    """Return True if no constructor of a class would become the constructor of its superclass that it calls. One
    without parameters can call the next superclass instead.
    """
    own = {method.descriptor for method in below.methods if method.name == CONSTRUCTOR}
    return all(method.descriptor not in own - {"()V"} for method in above.methods if method.name == CONSTRUCTOR)


def _by_parameters(tree: SymbolicClass) -> dict[Parameters, dict[str, MemberTree]]:
    """Return the methods of a class by name and parameters, then by descriptor."""
    found: dict[Parameters, dict[str, MemberTree]] = {}
    for method in tree.methods:
        found.setdefault(parameters(method), {})[method.descriptor] = method
    return found


def _one_suffices(one: MemberTree, other: MemberTree) -> bool:
    return (
        not (one.access ^ other.access) & STATIC
        and _is_same(one.attribute("Exceptions"), other.attribute("Exceptions"))
        and (gives_way(one) or gives_way(other))
    )


def fulfils(tree: SymbolicClass, declared: dict[Parameters, str]) -> bool:
    """Return True if the methods of a class that interfaces declare too are public methods of objects, with the same
    result.
    """
    return all(
        method.descriptor == declared[parameters(method)] and method.access & PUBLIC and not method.access & STATIC
        for method in tree.methods
        if parameters(method) in declared
    )


def _is_same(one: AttributeTree | None, other: AttributeTree | None) -> bool:
    """Return True if two members have an attribute with the same constants, or both have none."""
    if one is None or other is None:
        return one is other
    return list(one.symbols) == list(other.symbols)


def applied_supertypes(tree: SymbolicClass) -> str | None:
    """Return the part of the signature of a class that names its supertypes; empty without a signature, None for a
    malformed one.
    """
    signature = tree.signature
    try:
        return signature[type_parameters(signature)[1] :]
    except ClassFormatError:
        return None


def have_equal_parameters(tree: SymbolicClass, head: SymbolicClass) -> bool:
    """Return True if two classes declare the same type parameters, with names and bounds, and at least one."""
    own = declared_parameters(tree)
    return bool(own) and own == declared_parameters(head)


def declared_parameters(tree: SymbolicClass) -> str:
    """Return the part of the signature of a class that declares its type parameters; empty for a malformed one."""
    signature = tree.signature
    try:
        return signature[: type_parameters(signature)[1]]
    except ClassFormatError:
        return ""


_GENERIC = TYPE | {"Signature", "LocalVariableTypeTable"}
"""Attributes that type arguments or type variables may stand in."""


def without_signature(tree: SymbolicClass, head: SymbolicClass) -> SymbolicClass:
    """Return a class without its generic signature. All possible uses of its type parameters go too, unless those of
    the other class, of which it becomes part, stand for them.

    Type annotations of a class tell the place of the type by its number among the supertypes.
    """
    signature = tree.signature
    if signature.startswith("<") and not have_equal_parameters(tree, head):
        return tree.without(_is_generic)
    if not signature:
        return tree
    return tree._replace(attributes=tuple([each for each in tree.attributes if not _is_generic(each)]))


def _is_generic(attribute: AttributeTree) -> bool:
    return attribute.name in _GENERIC


_METHODS = (METHOD_REF, INTERFACE_METHOD_REF)


class FreshMethodNames:
    """The names of the methods of one program."""

    def __init__(self, program: WholeProgram) -> None:
        self._program = program
        symbols = {symbol for tree in program.classes for symbol in tree.symbols}
        self._strings = {symbol.text for symbol in symbols if symbol.tag == STRING}
        above = {name for tree in program.classes for name in program.supertypes(tree.name)}
        declaring = {tree.name for tree in program.classes} | above
        self._taken = {method for name in declaring for method, _ in program.declared(name)}

    def may_change(self, method: MemberTree, tree: SymbolicClass) -> bool:
        """Return True for a method that no other class knows by its name: it overrides nothing, no class inherits it,
        and no string is its name.
        """
        if method.name.startswith("<") or method.name in self._strings:
            return False
        if tree.name in self._program.fixed or self._program.below(tree.name):
            return False
        return all(
            self._program.find(name) is not None
            and all(each != method.name for each, _ in self._program.declared(name))
            for name in self._program.supertypes(tree.name)
        )

    def fresh(self, name: str) -> str:
        """Return a name like another one that no method of a class or of a supertype has."""
        number = 2
        while f"{name}{number}" in self._taken:
            number += 1
        return f"{name}{number}"

    def take(self, tree: SymbolicClass) -> None:
        """Note the names of the methods of a changed class."""
        self._taken |= {method.name for method in tree.methods}


def with_names(program: WholeProgram, names: Mapping[Reference, str]) -> WholeProgram:
    """Return the program with other names for some methods of classes that no class extends."""
    if not names:
        return program

    def symbol(old: Symbol) -> Symbol:
        if old.tag in _METHODS:
            new = names.get(old.content)  # type: ignore[arg-type]  # owner, name, descriptor
            return Symbol(old.tag, (old.content[0], new, old.content[2])) if new else old
        return Symbol(old.tag, tuple(map(part, old.content)))

    def part(old: object) -> object:
        if isinstance(old, Symbol):
            return symbol(old)
        return tuple(map(part, old)) if isinstance(old, tuple) else old

    def changed(tree: SymbolicClass) -> SymbolicClass:
        def told(member: MemberTree) -> MemberTree:
            name = names.get((tree.name, *member.key), member.name)
            return member.mapped(lambda _, old: symbol(old))._replace(name=name)

        return tree.with_members(told)

    return program.mapped(changed)
