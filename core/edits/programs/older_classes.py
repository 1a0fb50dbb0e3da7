"""Classes as older compilers wrote them: of version 49, the last without stack maps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.classfile.descriptors import class_names, element_class
from core.classfile.flags import ABSTRACT, INTERFACE
from core.classfile.pool import CLASS, DYNAMICS, INTERFACE_METHOD_REF, METHOD_HANDLE, METHOD_TYPE
from core.classfile.symbolic.symbol_pool import Symbol
from core.classfile.symbolic.symbolic_class import MemberTree, SymbolicClass
from core.code.types.symbols import INVOKEINTERFACE
from core.edits.programs.program import ProgramEdit, WholeProgram, kind, shown

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
