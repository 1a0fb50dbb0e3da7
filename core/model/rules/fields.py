"""F: fields."""

from __future__ import annotations

from itertools import permutations

from core.classfile.flags import STATIC
from core.classfile.symbolic.part_kinds import PartKind
from core.model.lookup import Member
from core.model.rules.base import SRC, rule
from core.model.rules.class_items import ClassItems
from core.model.rules.context import Context

_INITIALISER: Member = ("<clinit>", "()V")


@rule("F2", SRC, "an interface's field needs the code that sets it")
def f2(context: Context, one: ClassItems) -> None:
    """Interface field without ConstantValue: [C.f] => [<clinit>!code]."""
    code = context.variables.code.get((one.name, _INITIALISER))
    if one.is_interface and code is not None:
        for variable, part in one.of(PartKind.FIELD):
            if one.facts.field_list[part.element][0] not in one.facts.constants:
                context.builder.edge(variable, code, "F2")


@rule("F3", SRC, "a final field needs the code that sets it")
def f3(context: Context, one: ClassItems) -> None:
    """Static: [final] => [<clinit>!code]. Instance: [final] and [k] => [k!code] for each constructor k,
    and [final] => OR of the constructors. An instance field with ConstantValue: [final] and [k!code] and [j] =>
    [j!code] for constructors k and j: source sets the field at its declaration, so in all constructors or in none."""
    initialiser = context.variables.code.get((one.name, _INITIALISER))
    constructors = one.constructors
    for variable, part in one.of(PartKind.FINAL):
        member, access = one.facts.field_list[part.element]
        if access & STATIC:
            if member not in one.facts.constants and initialiser is not None:
                context.builder.edge(variable, initialiser, "F3")
            continue
        bodies = [(constructor, context.variables.code.get((one.name, name))) for constructor, name, _ in constructors]
        if member in one.facts.constants:
            for (_, setting), (constructor, code) in permutations(bodies, 2):
                if setting is not None and code is not None:
                    context.builder.add([variable, setting, constructor], [code], "F3")
            continue
        for constructor, code in bodies:
            if code is not None:
                context.builder.add([variable, constructor], [code], "F3")
        context.need_one([variable], [constructor for constructor, _, _ in constructors], "F3")
