"""Two classes whose members are to stand in one class: which members agree, and which one can stand for two."""

from __future__ import annotations

from core.classfile.flags import ABSTRACT, NATIVE, PUBLIC, STATIC
from core.classfile.pool import CLASS
from core.classfile.symbolic.contents import bytes_of
from core.classfile.symbolic.symbolic_class import AttributeTree, MemberTree, Symbol, SymbolicClass
from core.edits.programs.class_relations import CONSTRUCTOR, Parameters, parameters

_STACK_MAPS = 50
"""Version of class files from which on stack maps are read; a class of version 50 may do without them."""
_CALL_OF_SUPER = b"\x2a\xb7"
"""``aload_0``, ``invokespecial``."""
_RETURN = 0xB1


def makes_objects(method: MemberTree, name: str) -> bool:
    """Return True if a method may make objects of a class."""
    return any(Symbol(CLASS, (name,)) in each.symbols for each in method.attributes)


def gives_way(method: MemberTree) -> bool:
    """Return True for a method that does nothing, so that another one can stand in its place: it is abstract or native,
    returns a constant or a parameter, or only calls the constructor without parameters of the superclass.
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
    """Return the methods of a class by what source tells them apart by, then by descriptor."""
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
