"""Classes as older compilers wrote them: without generic signatures, or of version 49, the last without stack maps."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from core.classfile.annotations import TYPE
from core.classfile.descriptors import class_names, element_class
from core.classfile.flags import ABSTRACT, BRIDGE, INTERFACE, SYNTHETIC
from core.classfile.format_error import ClassFormatError
from core.classfile.generic_use import generic_use
from core.classfile.pool import CLASS, DYNAMICS, INTERFACE_METHOD_REF, METHOD_HANDLE, METHOD_TYPE
from core.classfile.symbolic.symbol_pool import Symbol
from core.classfile.symbolic.symbolic_class import AttributeTree, MemberTree, SymbolicClass
from core.code.types.symbols import INVOKEINTERFACE
from core.edits.programs.class_relations import enclosing_method, families, parameters, top_levels
from core.edits.programs.program import ProgramEdit, WholeProgram, kind, shown

_APPLYING = frozenset(("Signature", "LocalVariableTypeTable"))
"""Attributes that hold signatures."""


def _find(program: WholeProgram) -> Sequence[ProgramEdit]:
    """Return one edit for each top-level class, because the classes in it use its type variables."""
    found = []
    for top, trees in families(program.classes).items():
        if any(tree.attribute("Record") for tree in trees):
            continue  # signatures of components stand within that attribute
        if any(tree != tree.without(is_generic) for tree in trees):
            names = tuple(tree.name for tree in trees)
            found.append(ProgramEdit(f"{shown(top)} has no generic types any more", names, top))
    return found


@kind("signatures", _find)
def SIGNATURES(program: WholeProgram, edits: Sequence[ProgramEdit]) -> WholeProgram:
    """Drop the signatures of the classes of some top-level classes, and others' signatures that apply such a class.

    Without ``Comparable<A>``, a compiler looks for the method ``compareTo(Object)`` in source. So bridges become
    ordinary methods.
    """
    tops = {edit.what for edit in edits}
    around = top_levels(program.classes)
    holders = {enclosing_method(tree) for tree in program.classes}
    raw: set[str] = set()
    while True:
        found = {tree.name for tree in program.classes if around[tree.name] in tops and tree.signature.startswith("<")}
        if found == raw:
            break
        raw = found
        # a class whose supertypes have lost their type arguments is no longer generic either
        tops |= {around[tree.name] for tree in program.classes if _becomes_raw(tree, raw, holders)}

    def changed(tree: SymbolicClass) -> SymbolicClass:
        if around[tree.name] in tops:
            return _erased(tree)
        return tree.without(lambda attribute: attribute.name in _APPLYING and _applies(attribute, raw))

    return program.mapped(changed)


def is_generic(attribute: AttributeTree) -> bool:
    """Return True for an attribute that type arguments or type variables may stand in."""
    return attribute.name in _APPLYING | TYPE


def _becomes_raw(tree: SymbolicClass, raw: Collection[str], holders: Collection[tuple[str, str, str] | None]) -> bool:
    """Return True if a class loses its own signature as some classes become ``raw``, or if a method around another
    class, one of the ``holders``, does: classes in a method use its type variables.
    """
    lost = [tree.attribute("Signature")]
    lost += [method.attribute("Signature") for method in tree.methods if (tree.name, *method.key) in holders]
    return any(signature is not None and _applies(signature, raw) for signature in lost)


def _applies(attribute: AttributeTree, classes: Collection[str]) -> bool:
    """Return True if a signature in an attribute gives type arguments to one of the classes."""
    for symbol in attribute.symbols:
        text = symbol.text
        if "<" not in text:
            continue
        try:
            if not (set(generic_use(text).applied) & set(classes)):
                continue
        except ClassFormatError:
            pass  # nobody can tell
        return True
    return False


def _erased(tree: SymbolicClass) -> SymbolicClass:
    bare = tree.without(is_generic)
    all_ = list(map(parameters, bare.methods))

    def told(method: MemberTree) -> MemberTree:
        alone = all_.count(parameters(method)) == 1
        if method.access & BRIDGE and alone:
            return method._replace(access=method.access & ~(BRIDGE | SYNTHETIC))
        return method

    return bare._replace(methods=tuple(map(told, bare.methods)))


_OLD = 49
_NEWER = frozenset((METHOD_HANDLE, METHOD_TYPE, *DYNAMICS))
"""Tags of constants that version 49 does not have."""
_LATER = frozenset(("BootstrapMethods", "Module", "NestHost", "NestMembers", "PermittedSubclasses", "Record"))
"""Attributes that mean something to the JVM, and nothing to it in a class of version 49."""


def _find_older(program: WholeProgram) -> Sequence[ProgramEdit]:
    names = [tree.name for tree in program.classes if tree.major > _OLD and _may_be_old(tree, program)]
    return [ProgramEdit(f"{shown(name)} has version {_OLD}, without stack maps", (name,), name) for name in names]


@kind("versions", _find_older)
def VERSIONS(program: WholeProgram, edits: Sequence[ProgramEdit]) -> WholeProgram:
    """Give some classes version 49."""
    names = {edit.what for edit in edits}

    def old(tree: SymbolicClass) -> SymbolicClass:
        if tree.name not in names:
            return tree
        return tree.without(lambda attribute: attribute.name == "StackMapTable")._replace(major=_OLD, minor=0)

    return program.mapped(old)


def _may_be_old(tree: SymbolicClass, program: WholeProgram) -> bool:
    """Return True if a class uses nothing newer, and the verifier can load every class in the code."""
    if not _LATER.isdisjoint(attribute.name for attribute in tree.attributes):
        return False
    if tree.access & INTERFACE and any(
        not method.access & ABSTRACT and method.name != "<clinit>" for method in tree.methods
    ):
        return False
    if any(symbol.tag in _NEWER for symbol in tree.symbols) or not all(map(_calls_plainly, tree.methods)):
        return False
    return all(name in program.by_name or program.library(name) is not None for name in _named(tree))


def _calls_plainly(method: MemberTree) -> bool:
    """Return True if methods of interfaces are only called by ``invokeinterface``; static ones came with version 52."""
    code = method.attribute("Code")
    if code is None:
        return True
    data = code.content.data
    return all(
        not isinstance(key, Symbol) or key.tag != INTERFACE_METHOD_REF or data[at - 1] == INVOKEINTERFACE
        for at, key in zip(code.content.offsets, code.content.keys, strict=True)
    )


def _named(tree: SymbolicClass) -> Iterator[str]:
    """Yield the classes that the verifier may have to load."""
    for symbol in set(tree.symbols):
        if symbol.tag == CLASS:
            name = element_class(symbol.content[0])  # type: ignore[arg-type]
            if name is not None:
                yield name
        elif len(symbol.content) == 3 and isinstance(symbol.content[2], str):
            yield from class_names(symbol.content[2])
    for method in tree.methods:
        yield from class_names(method.descriptor)
