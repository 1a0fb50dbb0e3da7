"""The fields and methods with a generic type that a body uses."""

from __future__ import annotations

from collections.abc import Iterator

from core.classfile.descriptors import method_types
from core.classfile.flags import BRIDGE, SYNTHETIC
from core.code.types.code_facts import CodeFacts
from core.model.formula import TRUE
from core.model.lookup import Declaration, Member
from core.model.reading.facts import Handle
from core.model.rules.class_items import ClassItems, Used, members_of
from core.model.rules.context import Context
from core.model.rules.generics.generic_signatures import Generic

_VISIBLE = BRIDGE | SYNTHETIC


def declaration(context: Context, owner: str, member: Member) -> Declaration | None:
    """Return the declaration at the end of resolution, or the one behind a bridge for visibility."""
    found = context.nearest(owner, member)
    one = context.classes.get(found.owner) if found is not None else None
    if one is None or one.facts.methods.get(member, 0) & _VISIBLE != _VISIBLE:
        return found
    above = [use[1] for use in one.uses_of(member).methods if use[2:4] == member and use[1] != one.name]
    return declaration(context, above[0], member) if above else found


def declared_generic(context: Context, owner: str, member: Member) -> Generic | None:
    """Return the field or method that resolution ends at, and its Signature; None if that is no item."""
    known = context.signatures.declared
    used = owner, member
    if used not in known:
        known[used] = _declared_generic(context, owner, member)
    return known[used]


def _declared_generic(context: Context, owner: str, member: Member) -> Generic | None:
    found = declaration(context, owner, member)
    if found is None:
        return None
    used = found.owner, member
    use = context.signatures.uses.get(used)
    if use is None:
        return None
    is_method = member[1].startswith("(")
    variables = context.variables.methods if is_method else context.variables.fields
    hides = is_method and len(use.parameters) != len(method_types(member[1])[0])
    return Generic(found.owner, variables[used], context.signatures.of_member[used], use, use.told or hides)


def told_between(context: Context, premises: list[int], value: str, above: str) -> None:
    """With ``premises`` a class keeps the Signatures that give the type arguments of a supertype."""
    for between in context.sorted_above(value) if value != above and above in context.above(value) else ():
        signature = context.signatures.of_class[between]
        if signature != TRUE and above in context.above(between):
            there = [context.subtype(value, between), context.subtype(between, above)]
            context.add([*premises, *there], [signature])


def used_generic(context: Context, one: ClassItems, code: int, facts: CodeFacts) -> list[Generic]:
    """Return the generic members that the body ``code`` uses: directly, through access$ methods, and as implementations
    of its lambdas."""
    known = context.signatures.used
    found = known.get(code)
    if found is None:
        used = _led_to(context, members_of(facts) | {(each[1], each[2:4]) for each in handles(one, facts)})
        generic = {each: declared_generic(context, *each) for each in used}
        found = known[code] = [each for _, each in sorted((used, each) for used, each in generic.items() if each)]
    return found


def _led_to(context: Context, members: set[Used]) -> set[Used]:
    """Return the members, with the ones behind accessors for nested classes."""
    found = set(members)
    for owner, member in members:
        if member[0].startswith("access$") and (owner, member) in context.variables.methods:
            found |= members_of(context.classes[owner].uses_of(member))
    return found


def handles(one: ClassItems, facts: CodeFacts) -> Iterator[Handle]:
    """Yield the implementations of the lambdas of a body."""
    for made in one.lambdas(facts.call_sites):
        yield made.maker.handles[0]


def implemented(one: ClassItems, facts: CodeFacts) -> Iterator[tuple[Used, str]]:
    """Yield the interface methods that the lambdas of a body implement with other types than the erased ones, and
    these."""
    for made in one.lambdas(facts.call_sites):
        erased, instantiated = made.maker.types[:2]
        if erased != instantiated:
            yield (made.interface, (made.name, erased)), instantiated
