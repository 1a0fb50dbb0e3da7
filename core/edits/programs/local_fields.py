"""Fields that become variables of the methods with their uses, and parameters of the methods with reads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.classfile.flags import ENUM, STATIC
from core.classfile.format_error import ClassFormatError
from core.classfile.generic_use import generic_use
from core.classfile.pool import FIELD_REF, STRING
from core.classfile.symbolic.symbolic_class import MemberTree, Reference, SymbolicClass
from core.edits.programs.class_relations import ClassRelations
from core.edits.programs.field_variables import Added, FieldUse, MethodKey, field_uses, with_variables
from core.edits.programs.program import ProgramEdit, WholeProgram, item_of, kind
from core.edits.programs.shapes.method_shapes import uncalled
from core.protocol.java_names import item_title


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
                free = set(_uncalled(program))
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
    relations = ClassRelations(program)
    added: dict[str, dict[MethodKey, dict[Reference, Added]]] = {}
    for use in uses.values():
        for owner, *key in use.readers:
            own = added.setdefault(owner, {}).setdefault((key[0], key[1]), {})
            own[use.field] = _parameter(use.field, program, program.by_name[owner], (key[0], key[1]))

    def changed(tree: SymbolicClass) -> SymbolicClass:
        named = {each for symbol in set(tree.symbols) if symbol.tag == FIELD_REF for each in symbol.members}
        meant = {each: (relations.declaring(*each), *each[1:]) for each in named}
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


def _uncalled(program: WholeProgram) -> Iterator[Reference]:
    """Yield the methods that can take more parameters."""
    for each in uncalled(program):
        yield each.methods[0].tree.name, each.name, each.descriptor
