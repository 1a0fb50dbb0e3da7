"""Unread constants of enums: each goes with the statement that makes it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from core.classfile.flags import ABSTRACT, ENUM
from core.classfile.symbolic.symbolic_class import Reference, SymbolicClass
from core.code.dataflow.locals import touched
from core.code.method_code import SymbolicCode, code_of
from core.code.ops import Op
from core.code.types.symbols import PUTSTATIC
from core.edits.programs.field_variables import field_of, field_uses
from core.edits.programs.program import ProgramEdit, WholeProgram, item_of, kind
from core.edits.programs.shapes.method_shapes import annotation_texts
from core.protocol.java_names import item_title

_INITIALISER = "<clinit>", "()V"


class _Statement(NamedTuple):
    """Instructions that make a value and store it in a static field."""

    block: int
    first: int
    """Place of the first instruction in the block."""
    last: int
    """Place of the instruction that stores the value."""


class _Initialiser(NamedTuple):
    """The static initialiser of a class, and its statements by the field in which each stores."""

    code: SymbolicCode
    statements: Mapping[Reference, _Statement]


def _find(program: WholeProgram) -> Sequence[ProgramEdit]:
    """Return one edit for each constant that its enum's initialiser makes and nothing reads. An abstract enum keeps at
    least one constant (JLS 8.9.1).
    """
    enums = [tree for tree in program.classes if tree.access & ENUM and _constants(tree)]
    if not enums:
        return ()
    uses, others = field_uses(program)
    annotated = {text for tree in program.classes for text in annotation_texts(tree)}
    found = []
    for tree in enums:
        constants, initialiser = _constants(tree), _initialiser(tree)
        unread = [
            field
            for field in constants
            if initialiser is not None
            and field in initialiser.statements
            and field in uses
            and uses[field].writers == ((tree.name, *_INITIALISER),)
            and not uses[field].readers
            and field not in others
            and field[1] not in annotated
        ]
        if tree.access & ABSTRACT and len(unread) == len(constants):
            del unread[0]
        found += [_edit(field) for field in unread]
    return found


@kind("constants", _find)
def CONSTANTS(program: WholeProgram, edits: Sequence[ProgramEdit]) -> WholeProgram:
    """Take some constants away, and the statements that make them."""
    gone = {edit.what for edit in edits}

    def changed(tree: SymbolicClass) -> SymbolicClass:
        own = [field for field in _constants(tree) if field in gone]
        initialiser = _initialiser(tree) if own else None
        if initialiser is None:
            return tree
        tree = _without(tree, initialiser, [initialiser.statements[field] for field in own])
        return tree._replace(fields=tuple([each for each in tree.fields if (tree.name, *each.key) not in gone]))

    return program.mapped(changed)


def _edit(field: Reference) -> ProgramEdit:
    item, initialiser = item_of(field), item_of((field[0], *_INITIALISER))
    return ProgramEdit(f"{item_title(item)} is no constant any more", (item, f"{initialiser}!code"), field)


def _constants(tree: SymbolicClass) -> list[Reference]:
    return [(tree.name, *each.key) for each in tree.fields if each.access & ENUM]


def _initialiser(tree: SymbolicClass) -> _Initialiser | None:
    """Return the static initialiser of a class; None if there is none with code that can be changed."""
    method = next((each for each in tree.methods if each.key == _INITIALISER), None)
    code = code_of(tree, method) if method is not None else None
    return _Initialiser(code, _statements(code)) if code is not None else None


def _statements(code: SymbolicCode) -> dict[Reference, _Statement]:
    """Return the statements of some code by the static field in which each stores, if the field gets no other value."""
    stores: dict[Reference, list[_Statement | None]] = {}
    for number, block in enumerate(code.flow.blocks):
        for last, op in enumerate(block.ops):
            if op.opcode == PUTSTATIC:
                first = _start(block.ops, last)
                statement = _Statement(number, first, last) if first is not None else None
                stores.setdefault(field_of(op, code), []).append(statement)
    return {field: found[0] for field, found in stores.items() if len(found) == 1 and found[0] is not None}


def _start(ops: Sequence[Op], last: int) -> int | None:
    """Return the place of the first instruction of the statement that ends at ``last``; None if the statement begins in
    another block, computes more than one value, or writes a local variable.
    """
    missing = ops[last].pops
    for place in range(last - 1, -1, -1):
        op = ops[place]
        if op.pushes > missing or any(writes for _, _, writes in touched(op)):
            return None
        missing += op.pops - op.pushes
        if not missing:
            return place
    return None


def _without(tree: SymbolicClass, initialiser: _Initialiser, statements: Sequence[_Statement]) -> SymbolicClass:
    """Return a class without some statements of its static initialiser."""
    code = initialiser.code
    ops: dict[int, list[Op]] = {}
    for block, first, last in sorted(statements, reverse=True):
        del ops.setdefault(block, list(code.flow.blocks[block].ops))[first : last + 1]
    method = code.method(code.with_ops(ops))
    return tree.with_methods(lambda each: method if each.key == _INITIALISER else each)
