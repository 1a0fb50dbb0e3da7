"""H6: type arguments of one supertype of a class by several ways, as source needs them."""

from __future__ import annotations

from core.model.formula import TRUE
from core.model.rules.base import SRC, rule
from core.model.rules.class_items import ClassItems
from core.model.rules.context import Context


@rule("H6", SRC, "all that tell the type arguments of one supertype of a class do, or none")
def h6(context: Context, one: ClassItems) -> None:
    """S(C,X), S(X,I), [X[sig]] (which a library's X always has), S(C,Y) and S(Y,I) => [Y[sig]], where X and Y, one of
    which may be C, say what the type arguments of I are: javac refuses a class that has I raw by one way."""
    hierarchy, signatures = context.hierarchy, context.signatures
    if not signatures.any:
        return
    told = {name: _told(context, one, name) for name in hierarchy.sorted_above(one.name)}
    tellers = [name for name in told if told[name]]
    for mine in tellers:
        signature = signatures.of_class(mine)
        for other in tellers if signature != TRUE else ():
            if mine == other or (one.name not in (mine, other) and _is_above(context, mine, other)):
                continue  # a clause of one of the two
            for sup in _lowest(context, told[mine] & told[other]):
                ways = [(one.name, mine), (mine, sup), (one.name, other), (other, sup)]
                there = [hierarchy.subtype(*way) for way in ways]
                context.builder.add([*there, signatures.of_class(other)], [signature])


def _is_above(context: Context, one: str, other: str) -> bool:
    """Return True if one of two classes is above the other."""
    return one in context.hierarchy.above(other) or other in context.hierarchy.above(one)


def _told(context: Context, one: ClassItems, name: str) -> frozenset[str]:
    """Return the generic supertypes whose type arguments a class fixes for all its subtypes. A class with type
    parameters tells them only itself: it is raw to what is below it without a Signature."""
    if name != one.name and context.signatures.bounds(name):
        return frozenset()
    parents = [parent for parent, _ in context.hierarchy.parents(name) if context.signatures.bounds(parent)]
    above = {sup for parent in parents for sup in context.hierarchy.above(parent)}
    return frozenset(sup for sup in above if context.signatures.bounds(sup))


def _lowest(context: Context, names: frozenset[str]) -> list[str]:
    """Return the names, sorted, without those above a library's class among them."""
    outside = names - context.classes.keys()
    implied = {sup for name in outside for sup in context.hierarchy.above(name) if sup != name}
    return sorted(names - implied)
