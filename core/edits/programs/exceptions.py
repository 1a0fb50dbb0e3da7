"""Clauses of ``throws``, which the virtual machine never reads (JVMS 4.7.5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.classfile.symbolic.contents import handlers, opcodes, with_rows
from core.classfile.symbolic.pieces import Piece
from core.classfile.symbolic.symbolic_class import AttributeTree, MemberTree
from core.edits.programs.program import ProgramEdit, WholeProgram, kind, shown

THROWN = "Exceptions"
_CODE, _ATHROW = "Code", 0xBF
_UNCHECKED = frozenset(("java/lang/RuntimeException", "java/lang/Error"))
"""Superclasses of exceptions that no method needs to declare."""

_CAUGHT_ANYWAY = frozenset(("java/lang/Exception", "java/lang/Throwable"))
"""Classes that source may catch without a thrown checked exception."""


def _find(program: WholeProgram) -> Sequence[ProgramEdit]:
    """Return one edit for each exception: all methods that declare it change, because one may override another."""
    if any(tree.attribute("Module") for tree in program.classes):
        return ()
    declaring: dict[str, dict[str, None]] = {}
    for tree in program.classes:
        for method in tree.methods:
            for name in _thrown(method):
                declaring.setdefault(name, {})[tree.name] = None
    return [
        ProgramEdit(f"no method declares that it throws {shown(name)}", tuple(classes), name)
        for name, classes in declaring.items()
        if _is_unchecked(name, program) or not _is_needed(name, program)
    ]


@kind("throws", _find)
def THROWS(program: WholeProgram, edits: Sequence[ProgramEdit]) -> WholeProgram:
    """Drop some exceptions from the clauses of all methods."""
    gone = {edit.what for edit in edits}

    def told(method: MemberTree) -> MemberTree:
        clause = method.attribute(THROWN)
        if clause is None or gone.isdisjoint(_thrown(method)):
            return method
        left = [Piece(b"\0\0", (0,), (symbol,)) for symbol in clause.symbols if symbol.content[0] not in gone]
        return method.with_attribute(THROWN, *([with_rows(clause, left)] if left else []))

    return program.mapped(lambda tree: tree.with_methods(told))


def _thrown(method: MemberTree) -> list[str]:
    """Return the exceptions that a method declares."""
    clause = method.attribute(THROWN)
    return [] if clause is None else [symbol.text for symbol in clause.symbols]


def _is_unchecked(name: str, program: WholeProgram) -> bool:
    return name in _UNCHECKED or not _UNCHECKED.isdisjoint(program.supertypes(name))


def _is_needed(name: str, program: WholeProgram) -> bool:
    """Return True if code catches an exception, or a method declares it and may throw one that no other declared
    class covers. The type of a thrown value is not asked.
    """
    for tree in program.classes:
        for method in tree.methods:
            code = method.attribute(_CODE)
            if code is None:
                continue
            if any(row is not None and _may_catch(row.text, name, program) for _, row in handlers(code)):
                return True
            own = set(_thrown(method))
            if name in own and (_ATHROW in opcodes(code) or _may_throw(code, name, own - {name}, program)):
                return True
    return False


def _may_catch(caught: str, name: str, program: WholeProgram) -> bool:
    """Return True if a handler is an error in source without anything that throws an exception, or one above or below
    (JLS 11.2.3).
    """
    if caught in _CAUGHT_ANYWAY:
        return False
    return name == caught or name in program.supertypes(caught) or caught in program.supertypes(name)


def _may_throw(code: AttributeTree, name: str, others: set[str], program: WholeProgram) -> bool:
    """Return True if a called method may throw a checked exception for which the method declares ``name`` alone."""
    for each in _thrown_by_calls(code, name, program):
        known = program.find(each) is not None
        types = {each, *program.supertypes(each)}
        if (not known or name in types) and types.isdisjoint(others) and not _is_unchecked(each, program):
            return True
    return False


def _thrown_by_calls(code: AttributeTree, gone: str, program: WholeProgram) -> Iterator[str]:
    """Yield the exceptions that the called methods declare, but not ``gone`` of the program's own. An empty name stands
    for an unknown method.
    """
    for symbol in set(code.symbols):
        for owner, name, descriptor in symbol.members:
            if not descriptor.startswith("("):
                continue
            place = program.declaring(owner, name, descriptor)
            tree, known = program.by_name.get(place), program.library(place)
            if tree is not None:
                declared = [method for method in tree.methods if method.key == (name, descriptor)]
                yield from (each for method in declared for each in _thrown(method) if each != gone)
            elif known is not None:
                yield from known.thrown.get((name, descriptor), ())
            else:
                yield ""
