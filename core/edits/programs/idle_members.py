"""Members without a use: methods that do nothing, and constants of enums, if nothing reads them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from core.classfile.flags import ABSTRACT, ENUM, FINAL, INTERFACE, MODULE, NATIVE, PRIVATE, STATIC, STRICT, SYNTHETIC
from core.classfile.symbolic.symbol_pool import Reference
from core.classfile.symbolic.symbolic_class import MemberTree, SymbolicClass
from core.code.change import with_ops
from core.code.dataflow.locals import touched
from core.code.method_code import MethodCode, code_of
from core.code.ops import Op
from core.code.types.symbols import PUTSTATIC
from core.edits.programs.field_variables import field_of, field_uses
from core.edits.programs.merges.merged_members import gives_way
from core.edits.programs.program import CONSTRUCTOR, ProgramEdit, WholeProgram, item_of, kind, shown
from core.edits.programs.shapes.method_shapes import annotation_texts
from core.protocol.java_names import item_title


def _find_idle(program: WholeProgram) -> Sequence[ProgramEdit]:
    """Return one edit for each method that can go once its class is abstract. A class that rows of nested classes name
    has its flags there too, and stays.
    """
    named = {each for tree in program.classes for symbol in set(tree.symbols) for each in symbol.members}
    made = {owner for owner, name, _ in named if name == CONSTRUCTOR}
    return [
        ProgramEdit(
            f"{shown(tree.name)} is abstract, without {item_title(item_of((tree.name, *method.key)))}",
            (tree.name, item_of((tree.name, *method.key))),
            (tree.name, *method.key),
        )
        for tree in program.classes
        if tree.name not in made and _can_be_abstract(tree, program)
        for method in tree.methods
        if _is_idle(tree, method, program, named)
    ]


@kind("abstract", _find_idle)
def ABSTRACT_CLASSES(program: WholeProgram, edits: Sequence[ProgramEdit]) -> WholeProgram:
    """Make some classes abstract, and remove methods that they need not implement then (JLS 8.1.1.1).

    This is done after merging: a class of which there are objects can be merged with a concrete class alone.
    """
    gone = {edit.what for edit in edits}
    owners = {owner for owner, _, _ in gone}

    def changed(tree: SymbolicClass) -> SymbolicClass:
        if tree.name not in owners:
            return tree
        left = [method for method in tree.methods if (tree.name, *method.key) not in gone]
        return tree._replace(access=tree.access & ~FINAL | ABSTRACT, methods=tuple(left))

    return program.mapped(changed)


def _find_empty(program: WholeProgram) -> Sequence[ProgramEdit]:
    """Return one edit for each method that a native one can replace. No constructor and no initialiser can be native
    (JVMS 4.6), and a compiler's own method is one that a decompiler expects to have code.
    """
    needed = _called_for_constants(program)
    methods = [
        (tree.name, *method.key)
        for tree in program.classes
        if not tree.access & (INTERFACE | ENUM) and not tree.attribute("Record")
        for method in tree.methods
        if not method.name.startswith("<")
        and not method.access & (ABSTRACT | NATIVE | SYNTHETIC)
        and gives_way(method)
        and method.key not in needed
    ]
    return [
        ProgramEdit(f"{item_title(item_of(each))} is native", (each[0], item_of(each)), item_of(each))
        for each in methods
    ]


def _called_for_constants(program: WholeProgram) -> set[tuple[str, str]]:
    """Return names and descriptors of all called methods if annotations name an enum: reflection runs its initialiser,
    in which a native method would throw (rule C1e).
    """
    texts = {text for tree in program.classes for text in annotation_texts(tree)}
    if not any(tree.access & ENUM and f"L{tree.name};" in texts for tree in program.classes):
        return set()
    return {called[1:] for tree in program.classes for symbol in tree.symbols for called in symbol.members}


@kind("native", _find_empty)
def NATIVE_BODIES(program: WholeProgram, edits: Sequence[ProgramEdit]) -> WholeProgram:
    """Make some methods native. This comes last: unread parameters are recognised by code."""
    chosen = {edit.what for edit in edits}

    def changed(tree: SymbolicClass) -> SymbolicClass:
        def told(method: MemberTree) -> MemberTree:
            if item_of((tree.name, *method.key)) not in chosen:
                return method
            return method.with_attribute("Code")._replace(access=method.access & ~STRICT | NATIVE)

        return tree.with_methods(told)

    return program.mapped(changed)


def _can_be_abstract(tree: SymbolicClass, program: WholeProgram) -> bool:
    return (
        not tree.access & (INTERFACE | ABSTRACT | ENUM | MODULE)
        and not tree.attribute("Record")
        and tree.name not in program.in_rows
        and all(below.access & ABSTRACT for below in program.all_below(tree.name))
    )


def _is_idle(tree: SymbolicClass, method: MemberTree, program: WholeProgram, named: set[Reference]) -> bool:
    """Return True for a method that does nothing, implements an abstract one, and is called by no name of its class or
    of a class below.
    """
    if method.access & (PRIVATE | STATIC) or method.name == CONSTRUCTOR or not gives_way(method):
        return False
    owners = (tree.name, *[below.name for below in program.all_below(tree.name)])
    if any((owner, *method.key) in named for owner in owners):
        return False
    above = [program.declared(each).get(method.key, 0) for each in program.supertypes(tree.name)]
    return any(access & ABSTRACT for access in above)


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

    code: MethodCode
    statements: Mapping[Reference, _Statement]


def _find_constants(program: WholeProgram) -> Sequence[ProgramEdit]:
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


@kind("constants", _find_constants)
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


def _statements(code: MethodCode) -> dict[Reference, _Statement]:
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
    method = code.method(with_ops(code, ops))
    return tree.with_methods(lambda each: method if each.key == _INITIALISER else each)
