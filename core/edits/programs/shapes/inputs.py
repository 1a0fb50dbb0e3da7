"""Values that methods take as arguments in place of computing them.

Such a value is the result of a call, a field, a cast, a new object, or a variable that only holds null or 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from core.classfile.flags import PUBLIC
from core.classfile.opcodes import kind_of
from core.classfile.signatures import class_names
from core.classfile.symbolic.symbolic_class import MemberTree, SymbolicClass
from core.code.blocks import Flow, Named
from core.code.change import Changed, with_ops
from core.code.dataflow.locals import Web, access_of, load
from core.code.dataflow.replacements import pushed_type, replacement, widths_taken
from core.code.method_code import MethodCode, code_of
from core.code.ops import CALLS, CHECKCAST, NEW, POP, POP2, Op, default, drops
from core.code.simplify import simplified
from core.code.stackmap import types_in
from core.code.types.symbols import GETFIELD, GETSTATIC, Symbols
from core.edits.programs.classes_around import enclosing_method
from core.edits.programs.field_variables import Added, MethodKey, with_parameters
from core.edits.programs.program import ProgramEdit, WholeProgram, item_of, kind, package_of
from core.edits.programs.shapes.method_shapes import uncalled
from core.protocol.java_names import item_title

_READS = (GETFIELD, GETSTATIC)
_TYPED = (CHECKCAST, NEW)
_TABLES = ("LocalVariableTable", "LocalVariableTypeTable")
_CAST, _VARIABLE = "a cast", "a variable that holds null or 0"


class ComputedValue(NamedTuple):
    """A value of a method."""

    owner: str
    method: MethodKey
    step: int
    """Number of the instruction among the :func:`_steps` of the method."""
    steps: int
    """Number of these."""
    parameter: Added


class _Step(NamedTuple):
    """An instruction that computes a value or uses a variable."""

    block: int
    place: int
    op: Op
    before: Op | None
    after: Op | None


def _find(program: WholeProgram) -> Sequence[ProgramEdit]:
    """Return one edit for all values of a type that uncalled methods compute in the same way."""
    groups: dict[tuple[Added, str], list[ComputedValue]] = {}
    for family in uncalled(program):
        owner, code = family.methods[0].tree.name, family.methods[0].code
        if code is None:
            continue
        count = len(list(_steps(code.flow)))
        for step, parameter, way in _values(code):
            if _may_name(owner, parameter, program):
                value = ComputedValue(owner, (family.name, family.descriptor), step, count, parameter)
                groups.setdefault((parameter, way), []).append(value)
    return [_edit(values, way) for (_, way), values in groups.items()]


def _edit(values: Sequence[ComputedValue], way: str) -> ProgramEdit:
    titles = dict.fromkeys(item_of((each.owner, *each.method)) for each in values)
    says = f"{', '.join(map(item_title, titles))}: an argument in place of {way}"
    return ProgramEdit(says, (*titles, *(f"{title}!code" for title in titles)), tuple(values))


@kind("inputs", _find, must_save=True)
def INPUTS(program: WholeProgram, edits: Sequence[ProgramEdit]) -> WholeProgram:
    """Let methods take some values as arguments, one argument for all values of a type."""
    chosen: dict[str, dict[MethodKey, list[ComputedValue]]] = {}
    for value in (value for edit in edits for value in edit.what):
        chosen.setdefault(value.owner, {}).setdefault(value.method, []).append(value)
    return program.mapped(lambda tree: _taking(tree, chosen[tree.name]) if tree.name in chosen else tree)


def _taking(tree: SymbolicClass, chosen: Mapping[MethodKey, Sequence[ComputedValue]]) -> SymbolicClass:
    """Return a class whose methods take some values as arguments."""
    added = {key: {each.parameter: each.parameter for each in values} for key, values in chosen.items()}
    tree, places = with_parameters(tree, added)
    by_name = {name: values for (name, _), values in chosen.items()}  # no other method has the name

    def taking(method: MemberTree) -> MemberTree:
        slots = places.get(method.key)
        code = code_of(tree, method) if slots is not None else None
        if slots is None or code is None:
            return method
        values = by_name[method.name]
        if len(list(_steps(code.flow))) != values[0].steps:
            return method  # a jump to where control goes anyway is gone with its operands
        return code.method(_change(code, {each.step: (each.parameter, slots[each.parameter]) for each in values}))

    return tree.with_methods(taking)


def _change(code: MethodCode, loads: Mapping[int, tuple[Added, int]]) -> Changed:
    """Return the code with loads of arguments in the place of some steps. ``loads`` has arguments with their slots."""
    flow, symbols, steps = code.flow, code.symbols, list(_steps(code.flow))
    instead: dict[tuple[int, int], Sequence[Op]] = {}
    nameless: set[Named] = set()
    for number, (parameter, slot) in loads.items():
        block, place, op, before, _ = steps[number]
        loaded = load(op.offset, kind_of(parameter.descriptor), slot)
        if access_of(op) is not None:
            web = next(web for web in code.webs if op.offset in web.writes)
            instead |= {(block, place - 1): (), (block, place): ()}
            instead |= {flow.places[at]: (loaded._replace(offset=at),) for at in web.reads}
            nameless.update(row for row in flow.named if row.slot == web.slot and _covers(row.start, row.length, web))
        elif op.opcode == NEW:
            instead[block, place] = (loaded,)
            for at in flow.creations[op.offset]:
                number, place = flow.places[at]
                instead[number, place] = replacement(flow.blocks[number].ops[place], symbols)
        elif op.opcode == CHECKCAST:
            instead[block, place] = (*drops(op.offset, (1,)), loaded)
            if before is not None and _result(before, symbols):
                instead[block, place - 1] = replacement(before, symbols)
        else:
            instead[block, place] = (*drops(op.offset, widths_taken(op, symbols)), loaded)
    ops = {}
    for number in {number for number, _ in instead}:
        found = [instead.get((number, place), (op,)) for place, op in enumerate(flow.blocks[number].ops)]
        ops[number] = simplified([op for each in found for op in each])
    return with_ops(code, ops)._replace(nameless=frozenset(nameless))


def _steps(flow: Flow) -> Iterator[_Step]:
    """Yield the reachable instructions that compute a value or use a variable."""
    for number, block in enumerate(flow.blocks):
        ops = block.ops if flow.heights[number] >= 0 else ()
        for place, op in enumerate(ops):
            if op.opcode in CALLS or op.opcode in (*_READS, *_TYPED) or access_of(op) is not None:
                before = ops[place - 1] if place else None
                yield _Step(number, place, op, before, ops[place + 1] if place + 1 < len(ops) else None)


def _values(code: MethodCode) -> Iterator[tuple[int, Added, str]]:
    """Yield the steps with values of known type: with parameters for these, and their computation in words."""
    flow, symbols = code.flow, code.symbols
    unmade = {type_[0] for type_ in types_in(flow.frames.values()) if isinstance(type_, tuple)}
    for number, step in enumerate(_steps(flow)):
        op, before, after = step.op, step.before, step.after
        if access_of(op) is not None:
            parameter = _variable(code, step)
            if parameter is not None:
                yield number, parameter, _VARIABLE
        elif op.opcode in _TYPED:
            name = symbols.types[op.key]
            type_ = name if name.startswith("[") else f"L{name};"
            if op.offset not in unmade:
                yield number, Added(type_, type_), f"new {name}" if op.opcode == NEW else _way(before, symbols)
        elif after is None or after.opcode not in (POP, POP2, CHECKCAST):
            type_ = _result(op, symbols)
            if type_:
                yield number, Added(type_, type_), _way(op, symbols)


def _way(op: Op | None, symbols: Symbols) -> str:
    """Return the called method or the read field."""
    if op is None or not _result(op, symbols):
        return _CAST
    _, name, descriptor = symbols.fact(op.opcode, op.key)[1:4]
    return f"{name}{descriptor}"


def _result(op: Op, symbols: Symbols) -> str:
    """Return the type of a call's result or of a read field; empty for neither."""
    if op.opcode not in CALLS and op.opcode not in _READS:
        return ""
    type_ = pushed_type(op, symbols)
    return "" if type_ == "V" else type_


def _variable(code: MethodCode, step: _Step) -> Added | None:
    """Return the parameter for a variable in which a step stores null or 0, once and for all; None if the step does
    something else, or nothing tells the type.
    """
    access = access_of(step.op)
    if access is None or access.reads or step.before is None:
        return None
    if step.before.data != default(0, access.kind)[0].data:
        return None
    web = next((web for web in code.webs if web.writes == (step.op.offset,) and not web.is_parameter), None)
    if web is None or not web.reads:
        return None
    types = []
    for title in _TABLES:
        rows = [row for row in code.rows_of_variables(title) if row.slot == web.slot]
        found = [row.type for row in rows if _covers(row.start, row.length, web)]
        types.append(found[0] if len(found) == 1 else "")
    plain, generic = types
    return Added(plain, generic or plain) if plain else None


def _covers(start: int, length: int, web: Web) -> bool:
    """Return True if a range of code holds all reads of a variable."""
    return start <= web.reads[0] and web.reads[-1] < start + length


def _may_name(owner: str, parameter: Added, program: WholeProgram) -> bool:
    """Return True if a method of a class can name the type of a parameter."""
    for name in {*class_names(parameter.descriptor), *class_names(parameter.signature)}:
        found = program.find(name)
        if found is None or not (found.access & PUBLIC or package_of(name) == package_of(owner)):
            return False
        if isinstance(found, SymbolicClass) and enclosing_method(found) is not None:
            return False  # a local class
    return True
