"""Fields that become variables and parameters: the edits, the uses of fields, and methods with added parameters."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from typing import NamedTuple, TypeVar

from core.classfile.descriptors import method_types
from core.classfile.flags import ENUM, STATIC, VARARGS
from core.classfile.format_error import ClassFormatError
from core.classfile.generic_use import generic_use
from core.classfile.opcodes import kind_of
from core.classfile.pool import FIELD_REF, STRING
from core.classfile.signatures import parameter_types
from core.classfile.symbolic.symbol_pool import Reference
from core.classfile.symbolic.symbolic_class import MemberTree, SymbolicClass, signature_of
from core.code.body_layout import TooLongError
from core.code.change import replaced, with_ops
from core.code.dataflow.locals import load, store
from core.code.method_code import MethodCode, code_of
from core.code.ops import FIELDS, Op, argument_widths, drops, width_of
from core.code.types.symbols import GETFIELD, PUTFIELD, PUTSTATIC
from core.edits.programs.program import ProgramEdit, WholeProgram, item_of, kind
from core.edits.programs.shapes.method_shapes import uncalled
from core.protocol.java_names import item_title

_STORES = frozenset((PUTFIELD, PUTSTATIC))
_MOST_VARIABLES = 0xFFFF
_MOST_PARAMETERS = 255
"""Slots of the parameters of a method, with the object (JVMS 4.3.3)."""

Value = TypeVar("Value", bound=Hashable)
"""Type of the values that parameters replace."""

MethodKey = tuple[str, str]
"""Name and descriptor of a method."""


class Added(NamedTuple):
    """A parameter that a method gets, in the place of a field or another value."""

    descriptor: str
    signature: str
    """The generic type, or else the descriptor."""


def field_of(op: Op, code: MethodCode) -> Reference:
    """Return the field that an instruction names."""
    return code.symbol(op.key).content  # type: ignore[return-value]  # three texts


def with_variables(
    tree: SymbolicClass,
    gone: Mapping[Reference, Reference],
    added: Mapping[MethodKey, Mapping[Reference, Added]],
) -> SymbolicClass:
    """Return a class whose methods use variables in the place of some fields. Raise :class:`TooLongError`.

    ``gone`` has the field that each reference means. ``added`` has the methods with new parameters, and for each the
    fields that these replace. Other methods store in new variables, and read none of the fields.
    """
    places: dict[MethodKey, dict[Reference, int]] = {}
    if added:
        tree, places = with_parameters(tree, added)

    def changed(method: MemberTree) -> MemberTree:
        code = code_of(tree, method)
        if code is None:
            return method
        slots = _Slots(code.flow.variables, places.get(method.key, {}))

        def instead(op: Op, _: list[Op]) -> Sequence[Op]:
            field = gone.get(field_of(op, code)) if op.opcode in FIELDS else None
            return (op,) if field is None else _instead(op, field, slots)

        change = replaced(code, instead)
        return code.method(change) if change.ops else method

    return tree.with_methods(changed)


class _Slots:
    """The variables of one method in the place of fields: parameters, and new variables."""

    def __init__(self, free: int, known: Mapping[Reference, int]) -> None:
        self._free = free
        self._known = dict(known)

    def of(self, field: Reference) -> int:
        """Return the variable of a field."""
        if field not in self._known:
            self._known[field] = self._free
            self._free += width_of(field[2])
            if self._free > _MOST_VARIABLES:
                raise TooLongError
        return self._known[field]


def _instead(op: Op, field: Reference, slots: _Slots) -> list[Op]:
    """Return instructions that use a variable in place of an instruction that uses a field. The object of the field
    goes from the stack."""
    descriptor, slot = field[2], slots.of(field)
    kind = kind_of(descriptor)
    if op.opcode in _STORES:
        stored = store(op.offset, kind, slot)
        return [stored, *drops(op.offset, (1,))] if op.opcode == PUTFIELD else [stored]
    loaded = load(op.offset, kind, slot)
    return [*drops(op.offset, (1,)), loaded] if op.opcode == GETFIELD else [loaded]


def with_parameters(
    tree: SymbolicClass, added: Mapping[MethodKey, Mapping[Value, Added]]
) -> tuple[SymbolicClass, dict[MethodKey, dict[Value, int]]]:
    """Return a class whose methods have more parameters, unread so far, and the variables of these by the methods' new
    descriptors. Raise :class:`TooLongError`.
    """
    places: dict[MethodKey, dict[Value, int]] = {}

    def longer(method: MemberTree) -> MemberTree:
        more = added.get(method.key)
        if more is None:
            return method
        code = code_of(tree, method)
        assert code is not None  # it computes the value
        flow, descriptor = code.flow, with_types(method.descriptor, [each.descriptor for each in more.values()])
        width = sum(argument_widths(descriptor)) - sum(argument_widths(method.descriptor))
        if flow.parameters + width > _MOST_PARAMETERS:
            raise TooLongError
        slots = {slot: slot + (width if slot >= flow.parameters else 0) for slot in range(flow.variables)}
        slot, own = flow.parameters, places.setdefault((method.name, descriptor), {})
        for value, parameter in more.items():
            own[value] = slot
            slot += width_of(parameter.descriptor)
        changed = code.method(code.moved(with_ops(code, {}), slots, descriptor, method.access))
        return _declared(changed, list(more.values()))

    return tree.with_methods(longer), places


def with_types(descriptor: str, types: Sequence[str]) -> str:
    """Return a method's descriptor with more parameters at the end."""
    own, result = method_types(descriptor)
    return f"({''.join((*own, *types))}){result}"


def _declared(method: MemberTree, more: Sequence[Added]) -> MemberTree:
    """Return a method with more parameters in its descriptor and its signature."""
    descriptor = with_types(method.descriptor, [each.descriptor for each in more])
    signature = method.signature or method.descriptor
    at = parameter_types(signature)[2]
    signature = signature[:at] + "".join([each.signature for each in more]) + signature[at:]
    method = method.with_attribute("Signature")
    told = (signature_of(signature),) if signature != descriptor else ()
    attributes = (*method.attributes, *told)
    return method._replace(access=method.access & ~VARARGS, descriptor=descriptor, attributes=attributes)


class FieldUse(NamedTuple):
    """A field with its writing and its reading methods."""

    field: Reference
    writers: tuple[Reference, ...]
    readers: tuple[Reference, ...]


def field_uses(program: WholeProgram) -> tuple[Mapping[Reference, FieldUse], Collection[Reference]]:
    """Return the fields used by instructions, and those used otherwise or by unknown code."""
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
                    field = program.declaring(owner, name, descriptor), name, descriptor
                    noted = writers if op.opcode in _STORES else readers
                    noted.setdefault(field, {})[tree.name, *own.key] = None
            for owner, name, descriptor in told if code is not None else used:
                others.add((program.declaring(owner, name, descriptor), name, descriptor))
    fields = dict.fromkeys((*writers, *readers))
    return {
        field: FieldUse(field, tuple(writers.get(field, ())), tuple(readers.get(field, ()))) for field in fields
    }, others


def _named(method: MemberTree) -> tuple[set[Reference], set[Reference]]:
    """Return the members that a method names, and those named by constants other than Fieldref."""
    symbols = {symbol for attribute in method.attributes for symbol in attribute.symbols}
    used = {each for symbol in symbols for each in symbol.members}
    return used, {each for symbol in symbols if symbol.tag != FIELD_REF for each in symbol.members}


def _find(program: WholeProgram) -> Sequence[ProgramEdit]:
    """Return one edit for each used field, if each method that reads it can take it as a parameter."""
    if not any(tree.fields for tree in program.classes):
        return ()
    uses, others = field_uses(program)
    strings = {symbol.text for tree in program.classes for symbol in tree.symbols if symbol.tag == STRING}
    free: set[Reference] | None = None
    found = []
    for tree in program.classes:
        if tree.access & ENUM or tree.attribute("Record"):
            continue
        for member in tree.fields:
            field = tree.name, *member.key
            if field not in uses or field in others or member.name in strings:
                continue
            use = uses[field]
            if use.readers and free is None:
                free = {(each.methods[0].tree.name, each.name, each.descriptor) for each in uncalled(program)}
            if free is None or free.issuperset(use.readers):
                found.append(_edit(use))
    return found


def _edit(use: FieldUse) -> ProgramEdit:
    title = item_of(use.field)
    users = "each method that writes it" if not use.readers else "each method that uses it"
    says = f"{item_title(title)} is a variable of {users}"
    methods = [item_of(reader) for reader in use.readers]
    codes = [f"{item_of(method)}!code" for method in dict.fromkeys((*use.writers, *use.readers))]
    return ProgramEdit(says, (title, *methods, *codes), use)


@kind("fields", _find, must_save=True)
def FIELDS_AS_VARIABLES(program: WholeProgram, edits: Sequence[ProgramEdit]) -> WholeProgram:
    """Use variables in the place of some fields.

    A method gets null or 0 where another method wrote the field. The type of a new variable is not declared: it is the
    type of the value.
    """
    uses = {edit.what.field: edit.what for edit in edits}
    added: dict[str, dict[MethodKey, dict[Reference, Added]]] = {}
    for use in uses.values():
        for owner, *key in use.readers:
            own = added.setdefault(owner, {}).setdefault((key[0], key[1]), {})
            own[use.field] = _parameter(use.field, program, program.by_name[owner], (key[0], key[1]))

    def changed(tree: SymbolicClass) -> SymbolicClass:
        named = {each for symbol in set(tree.symbols) if symbol.tag == FIELD_REF for each in symbol.members}
        meant = {each: (program.declaring(*each), *each[1:]) for each in named}
        gone = {each: field for each, field in meant.items() if field in uses}
        left = tuple([member for member in tree.fields if (tree.name, *member.key) not in uses])
        if gone:
            tree = with_variables(tree, gone, added.get(tree.name, {}))
        return tree._replace(fields=left) if len(left) < len(tree.fields) else tree

    return program.mapped(changed)


def _parameter(field: Reference, program: WholeProgram, user: SymbolicClass, method: MethodKey) -> Added:
    """Return the parameter that stands for a field: of its generic type if the method knows the type variables."""
    owner, *key = field
    declared = next(each for each in program.by_name[owner].fields if each.key == tuple(key))
    text = declared.signature
    if not text:
        return Added(field[2], field[2])
    inside = user.name == owner and not _member(user, method).access & STATIC
    try:
        known = inside or not generic_use(text).free
    except ClassFormatError:
        known = False
    return Added(field[2], text if known else field[2])


def _member(tree: SymbolicClass, key: MethodKey) -> MemberTree:
    return next(each for each in tree.methods if each.key == key)
