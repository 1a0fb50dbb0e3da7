"""K16: the tables of local variables."""

from __future__ import annotations

from collections.abc import Iterator

from core.classfile.flags import SYNTHETIC
from core.classfile.symbolic.part_kinds import PartKind
from core.code.types.code_facts import CodeFacts
from core.model.rules.base import SRC, rule
from core.model.rules.class_items import ClassItems
from core.model.rules.context import Context


@rule("K16", SRC, "code keeps the table of local variables where the code alone does not tell their types")
def k16(context: Context, one: ClassItems) -> None:
    """Where the table of local variables is gone, decompilers guess the types of variables from their uses.

    * c => [C[variables]], where c has local variables with type arguments (guessed raw), several types in one slot
      (guessed as one variable of one type), or variables of type Object.
    * c => [C[variables]], where c has local variables of classes, and casts an Object or hands values to a local class.
    * [C.lambda!code] and c with values handed on to that lambda => [C[variables]]: decompilers find no names for them.
    * c => the Signatures that declare the type variables in the types of local variables (:func:`_declared_locals`).
    """
    facts = one.facts
    told = facts.generic_locals.keys() | facts.shared_locals
    for table, _ in one.of(PartKind.VARIABLES):
        for code, part in one.of(PartKind.CODE):
            uses = facts.code[part.element]
            guessed = part.element in facts.class_locals
            if part.element in told or (guessed and (uses.taken or _is_captured(context, one, part.element, uses))):
                context.edge(code, table)
            for body in _handed_on(context, one, uses):
                context.add([code, body], [table])
            if part.element in facts.generic_locals:
                _declared_locals(context, one, code, part.element)


def _is_captured(context: Context, one: ClassItems, element: int, uses: CodeFacts) -> bool:
    """Return True if a method makes objects of one of its own local classes and passes values of local variables to the
    class."""
    method = (one.name, *one.facts.method_list[element][0])
    for _, owner, name, _, _ in uses.methods:
        made = context.classes.get(owner) if name == "<init>" else None
        if made is not None and made.facts.enclosing == method:
            return any(field.startswith("val$") for field, _ in made.facts.fields)
    return False


def _declared_locals(context: Context, one: ClassItems, code: int, element: int) -> None:
    """c => the Signatures that declare the type variables of local variables; and [X] => [X[sig]] for each class X with
    type arguments in their types.
    """
    types = one.facts.generic_locals[element]
    use = one.generic(element)
    own = set(types.variables) & set(use.declared if use is not None else ())
    if own:
        context.edge(code, context.signatures.of_member[one.name, "method", element])
    context.edges(code, context.signatures.of_scope(one.name, set(types.variables) - own))
    for name in types.applied:
        context.add([code, context.class_fact(name)], [context.signatures.of_class[name]])


def _handed_on(context: Context, one: ClassItems, uses: CodeFacts) -> Iterator[int]:
    """Yield the code of the class's lambdas to which a body hands more than its own object."""
    for made in one.lambdas(uses.call_sites):
        _, owner, name, type_, _ = made.maker.handles[0]
        is_made = owner == one.name and one.facts.methods.get((name, type_), 0) & SYNTHETIC
        if is_made and any(each != f"L{one.name};" for each in made.captured):
            yield context.variables.code[owner, (name, type_)]
