"""The methods that read and write each field of a program."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

from core.classfile.pool import FIELD_REF
from core.classfile.symbolic.symbolic_class import MemberTree, Reference
from core.code.method_code import code_of
from core.code.ops import FIELDS
from core.code.types.symbols import PUTFIELD, PUTSTATIC
from core.edits.programs.class_relations import ClassRelations
from core.edits.programs.fields.field_variables import field_of
from core.edits.programs.program import WholeProgram

_STORES = frozenset((PUTFIELD, PUTSTATIC))


class FieldUse(NamedTuple):
    """A field with the methods that write it, and those that read it."""

    field: Reference
    writers: tuple[Reference, ...]
    readers: tuple[Reference, ...]


def field_uses(program: WholeProgram) -> tuple[Mapping[Reference, FieldUse], Collection[Reference]]:
    """Return the fields that instructions use, and those that are used otherwise or by code that nobody knows."""
    relations = ClassRelations(program)
    writers: dict[Reference, dict[Reference, None]] = {}
    readers: dict[Reference, dict[Reference, None]] = {}
    others: set[Reference] = set()
    for tree in program.classes:
        if not any(not descriptor.startswith("(") for symbol in tree.symbols for _, _, descriptor in symbol.members):
            continue
        for own in tree.methods:
            used, told = _named(own)
            code = code_of(tree, own)
            ops = [op for block in code.flow.blocks for op in block.ops] if code is not None else []
            for op in ops:
                if code is not None and op.opcode in FIELDS:
                    owner, name, descriptor = field_of(op, code)
                    field = relations.declaring(owner, name, descriptor), name, descriptor
                    noted = writers if op.opcode in _STORES else readers
                    noted.setdefault(field, {})[tree.name, *own.key] = None
            for owner, name, descriptor in told if code is not None else used:
                others.add((relations.declaring(owner, name, descriptor), name, descriptor))
    fields = dict.fromkeys((*writers, *readers))
    return {
        field: FieldUse(field, tuple(writers.get(field, ())), tuple(readers.get(field, ()))) for field in fields
    }, others


def _named(method: MemberTree) -> tuple[set[Reference], set[Reference]]:
    """Return the members that a method names, and those that it names in another way than in an instruction."""
    symbols = {symbol for attribute in method.attributes for symbol in attribute.symbols}
    used = {each for symbol in symbols for each in symbol.members}
    return used, {each for symbol in symbols if symbol.tag != FIELD_REF for each in symbol.members}
