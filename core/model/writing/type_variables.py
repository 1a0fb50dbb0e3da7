"""The items that keep type variables declared if Signatures are no items. Signatures are written as long as these
hold."""

from __future__ import annotations

from collections.abc import Mapping

from core.classfile.symbolic.part_kinds import PartKind
from core.model.formula import TRUE
from core.model.hierarchy import Variables
from core.model.reading.facts import ClassFacts
from core.model.reading.type_scopes import Step, method_number, steps_outwards
from core.model.rules.class_items import ClassItems

Items = tuple[int, ...]


def items_of_scopes(classes: Mapping[str, ClassItems], variables: Variables) -> dict[tuple[str, str], Items]:
    """Return, for each class and each type variable of its Signatures declared around it, the items on which the
    declaration depends."""
    facts = {name: one.facts for name, one in classes.items()}
    found = {}
    for name in classes:
        own = dict(facts[name].bounds).keys()
        used = {variable for use in facts[name].generic.values() for variable in use.free}
        for variable in sorted(used - own):
            items = _items(classes, facts, variables, name, variable)
            if items:
                found[name, variable] = items
    return found


def _items(
    classes: Mapping[str, ClassItems],
    facts: Mapping[str, ClassFacts],
    variables: Variables,
    name: str,
    variable: str,
) -> Items:
    """Return the items on which the declaration of one type variable depends."""
    found: dict[int, None] = {}
    asked = [(name, variable)]
    for origin, wanted in asked:
        for step in steps_outwards(facts, origin, [wanted]):
            found[variables.classes.get(step.outer, TRUE)] = None
            if not step.enclosed:
                rows = classes[step.inner].of(PartKind.INNER)
                found.update((row, None) for row, part in rows if part.target == step.inner)
            if step.method is not None:
                found.update(dict.fromkeys(_of_method(facts[step.outer], variables, step)))
                further = [(step.outer, other) for other in _used(facts[step.outer], step)]
                asked += [pair for pair in further if pair not in asked]
    return tuple(item for item in found if item != TRUE)


def _of_method(facts: ClassFacts, variables: Variables, step: Step) -> list[int]:
    """Return the method around a class, and the classes without which its Signature is not written."""
    assert step.method is not None
    names = facts.signature_names.get(("method", method_number(facts, step.method) or 0), ())
    method = variables.methods.get((facts.name, step.method), TRUE)
    return [method, *(variables.classes.get(name, TRUE) for name in names)]


def _used(facts: ClassFacts, step: Step) -> tuple[str, ...]:
    """Return the type variables that the Signature of the method around a class uses and does not declare."""
    assert step.method is not None
    use = facts.generic.get(("method", method_number(facts, step.method) or 0))
    return use.free if use is not None else ()
