"""The scopes in which reflection looks for a type variable: a class, and the enclosing methods and classes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from core.classfile.symbolic.part_kinds import PartKind
from core.model.formula import TRUE
from core.model.hierarchy import Variables
from core.model.lookup import Member
from core.model.reading.facts import ClassFacts
from core.model.rules.class_items import ClassItems


class Step(NamedTuple):
    """A step outwards from a class that has not declared all type variables in question."""

    inner: str
    """The class that names its scope, in EnclosingMethod or in its own row of InnerClasses."""
    enclosed: bool
    """True if EnclosingMethod names the surroundings of ``inner``, False if InnerClasses does."""
    outer: str
    method: Member | None
    """The method around the class, if that declares one of the variables."""
    declares: bool
    """True if the class ``outer`` declares one of the variables."""


def steps_outwards(classes: Mapping[str, ClassFacts], name: str, variables: Iterable[str]) -> list[Step]:
    """Return the steps from a class to the last scope that declares one of the type ``variables``; none for undeclared
    ones."""
    left = set(variables) - dict(classes[name].bounds).keys()
    steps: list[Step] = []
    needed = 0
    seen: set[str] = set()
    while left and name in classes and name not in seen:
        seen.add(name)
        step = _step(classes, name, left)
        if step is None:
            break
        steps.append(step)
        if step.method is not None:
            left -= _declared(classes[step.outer], step.method)
        if step.declares:
            left -= dict(classes[step.outer].bounds).keys()
        if step.method is not None or step.declares:
            needed = len(steps)
        name = step.outer
    return steps[:needed]


def method_number(facts: ClassFacts, method: Member) -> int | None:
    """Return the number of a method in its class."""
    return next((number for number, (member, _) in enumerate(facts.method_list) if member == method), None)


def _step(classes: Mapping[str, ClassFacts], name: str, left: set[str]) -> Step | None:
    facts = classes[name]
    method: Member | None = None
    if facts.enclosing is not None:
        outer, method_name, descriptor = facts.enclosing
        if method_name is not None and descriptor is not None:
            method = method_name, descriptor
    else:
        found = next((outer for inner, outer in facts.inner if inner == name), None)
        if found is None:
            return None
        outer = found
    if outer not in classes:
        return None
    around = classes[outer]
    by_method = _declared(around, method) & left if method is not None else set()
    declares = not dict(around.bounds).keys().isdisjoint(left - by_method)
    return Step(name, facts.enclosing is not None, outer, method if by_method else None, declares)


def _declared(facts: ClassFacts, method: Member) -> set[str]:
    number = method_number(facts, method)
    use = facts.generic.get(("method", number)) if number is not None else None
    return set(use.declared) if use is not None else set()


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
            found[variables.classes[step.outer]] = None
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
    method = variables.methods[facts.name, step.method]
    return [method, *(variables.classes[name] for name in names)]


def _used(facts: ClassFacts, step: Step) -> tuple[str, ...]:
    """Return the type variables that the Signature of the method around a class uses and does not declare."""
    assert step.method is not None
    use = facts.generic.get(("method", method_number(facts, step.method) or 0))
    return use.free if use is not None else ()
