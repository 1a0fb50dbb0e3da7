"""Constructors that nobody calls become methods, without the call of the superclass's constructor; static ones where
that call was the only use of the object.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from core.bytecode.symbols import INVOKESPECIAL, Symbols
from core.classfile.class_file import ClassFile, Method, parse
from core.protocol.java_names import item_title
from core.rewrite.around import enclosing_method
from core.rewrite.bodies.blocks import Flow
from core.rewrite.bodies.body_layout import laid
from core.rewrite.bodies.change import with_ops
from core.rewrite.bodies.code_attribute import code_attribute
from core.rewrite.bodies.dataflow.body_facts import BodyFacts
from core.rewrite.bodies.dataflow.locals import touched
from core.rewrite.bodies.flow import flow_of
from core.rewrite.bodies.ops import Op, argument_widths, drops
from core.rewrite.bodies.shell import Shell
from core.rewrite.bodies.simplify import simplified
from core.rewrite.bodies.stackmap import at_start
from core.rewrite.parameters.families import references
from core.rewrite.programs.class_relations import CONSTRUCTOR, ClassRelations
from core.rewrite.programs.class_tree import MemberTree, SymbolicClass, read
from core.rewrite.programs.nesting import is_nested, members_of
from core.rewrite.programs.program import ProgramEdit, WholeProgram, bytes_saved, kind

_STATIC, _FINAL, _FOR_ALL = 0x0008, 0x0010, 0x0005
_OTHER_KINDS = 0x0200 | 0x2000 | 0x4000 | 0x8000
"""Interfaces, annotation types, enums, modules."""
_NAME = "init"
_PLAIN = frozenset(("Code", "Exceptions", "Deprecated", "Signature"))
_OF_CODE = frozenset(("LineNumberTable", "LocalVariableTable", "LocalVariableTypeTable", "StackMapTable"))
_THIS = 6
"""Type of the object in a frame before the constructor of the superclass was called."""


def _find(program: WholeProgram) -> Sequence[ProgramEdit]:
    """Return one edit for each constructor without which its class can still be compiled, if that saves bytes."""
    relations = ClassRelations(program)
    symbols = {symbol for tree in program.classes for symbol in tree.symbols}
    told = {each for symbol in symbols for each in members_of(symbol) if each[1] == CONSTRUCTOR}
    told |= {each for tree in program.classes if (each := enclosing_method(tree))}
    found = []
    for tree in program.classes:
        if not _does_without(tree, program, relations):
            continue
        for number in _changeable(tree):
            key = tree.methods[number].key
            if (tree.name, *key) not in told:
                title = f"{tree.name}.{key[0]}:{key[1]}"
                says = f"the constructor {item_title(title)} is a method"
                found.append(ProgramEdit(says, (title, f"{title}!code"), (tree.name, key)))
    return [edit for edit in found if bytes_saved(program, CONSTRUCTORS.make(program, [edit])) > 0]


@kind("constructors", "constructors that nobody calls become methods", _find)
def CONSTRUCTORS(program: WholeProgram, edits: Sequence[ProgramEdit]) -> WholeProgram:
    """Make methods of some constructors. A field of the class's objects is final no more: a method may write it."""
    chosen = {edit.what for edit in edits}
    taken = {method.name for tree in program.classes for method in tree.methods}
    relations = ClassRelations(program)

    def changed(tree: SymbolicClass) -> SymbolicClass:
        numbers = [number for number, method in enumerate(tree.methods) if (tree.name, method.key) in chosen]
        if not numbers:
            return tree
        above = {name for each in relations.supertypes(tree.name) for name, _ in relations.declared(each)}
        return _with_methods(tree, numbers, _fresh(taken | above))

    return replace(program, classes=tuple(map(changed, program.classes)))


def _fresh(taken: set[str]) -> str:
    """Return a name that no method has."""
    number, name = 1, _NAME
    while name in taken:
        number += 1
        name = f"{_NAME}{number}"
    return name


def _does_without(tree: SymbolicClass, program: WholeProgram, relations: ClassRelations) -> bool:
    """Return True if nothing but code asks for the constructors of a class, and a compiler can make one."""
    if tree.access & _OTHER_KINDS or tree.attribute("Record") or is_nested(tree) or tree.name in program.fixed:
        return False
    if relations.below(tree.name) or tree.superclass is None:
        return False
    above = tree.superclass, CONSTRUCTOR, "()V"
    if not relations.declared(tree.superclass).get(above[1:], 0) & _FOR_ALL:
        return False
    known, library = program.by_name.get(tree.superclass), program.library(tree.superclass)
    if known is not None:
        return not any(method.key == above[1:] and method.attribute("Exceptions") for method in known.methods)
    return library is not None and not library.thrown.get(above[1:])


def _changeable(tree: SymbolicClass) -> Iterator[int]:
    """Yield the numbers of the constructors whose code can be that of a method."""
    numbers = [number for number, method in enumerate(tree.methods) if method.name == CONSTRUCTOR]
    if not numbers:
        return
    cf = parse(tree.written())
    symbols, methods = Symbols(cf), list(cf.methods)
    for number in numbers:
        code = tree.methods[number].attribute("Code")
        plain = _PLAIN.issuperset(each.name for each in tree.methods[number].attributes)
        if code is None or not plain or not _OF_CODE.issuperset(each.name for each in code.inside):
            continue
        flow = flow_of(cf, symbols, number, methods[number])
        if flow is not None and not any(_THIS in types.variables for types in flow.frames.values()):
            yield number


def _with_methods(tree: SymbolicClass, numbers: Sequence[int], name: str) -> SymbolicClass:
    """Return a class in which some constructors are methods of a name."""
    data = tree.written()
    cf = parse(data)
    symbols, shell, codes = Symbols(cf), Shell(cf, data), {}
    generic = tree.attribute("Signature") is not None  # a static method has no type variables of the class
    static = set()
    for number, method in enumerate(cf.methods):
        if number not in numbers:
            continue
        flow = flow_of(cf, symbols, number, method)
        assert flow is not None  # the edit asked
        ops = _without_super_call(cf, flow)
        change = with_ops(flow, symbols, BodyFacts(flow), ops)
        left = [op for place in change.live for op in ops.get(place, flow.blocks[place].ops)]
        if generic or any(slot == 0 for op in left for slot, _, _ in touched(op)):
            change = change._replace(initial=at_start(flow.descriptor, cf.name, False))
        else:
            static.add(number)
            slots = {slot: slot - 1 for slot in range(1, _variables(method))}
            change = change._replace(slots=slots, initial=at_start(flow.descriptor, None, False))
        codes[number] = code_attribute(shell.code_names[number], flow, change, laid(flow, change), cf.constants.text)
    changed = read(parse(shell.write(codes)))

    def told(number: int, method: MemberTree) -> MemberTree:
        if number not in numbers:
            return method
        return method._replace(name=name, access=method.access | (_STATIC if number in static else 0))

    fields = [each if each.access & _STATIC else each._replace(access=each.access & ~_FINAL) for each in changed.fields]
    methods = [told(number, method) for number, method in enumerate(changed.methods)]
    return changed._replace(fields=tuple(fields), methods=tuple(methods))


def _without_super_call(cf: ClassFile, flow: Flow) -> dict[int, list[Op]]:
    """Return the blocks of a constructor that call another constructor for its object, without that call."""
    called = references(cf)
    others = {offset for offsets in flow.creations.values() for offset in offsets}
    changed = {}
    for place, block in enumerate(flow.blocks):
        found: list[Op] = []
        for op in block.ops:
            is_call = op.opcode == INVOKESPECIAL and called[op.key][1] == CONSTRUCTOR and op.offset not in others
            if is_call:
                found += drops(op.offset, (1, *argument_widths(called[op.key][2])))
            else:
                found.append(op)
        if found != list(block.ops):
            changed[place] = simplified(found)
    return changed


def _variables(method: Method) -> int:
    """Return the number of local variables of a method with code."""
    return int.from_bytes((method.attributes.raw("Code") or b"")[2:4], "big")
