"""M9, M9s: methods that override or hide each other are generic together. H6: generic supertypes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from core.classfile.descriptors import method_types, told_apart_by
from core.classfile.flags import PRIVATE, STATIC
from core.model.formula import TRUE
from core.model.lookup import OBJECT, Member
from core.model.rules.base import SRC, rule
from core.model.rules.class_items import ClassItems
from core.model.rules.context import Context
from core.model.rules.overriding import overridden


@rule("M9", SRC, "methods that override each other are generic together")
def m9(context: Context, one: ClassItems) -> None:
    """C.m overrides D.m while S(C,D):

    * [D.m] and [C.m[sig]] => [D.m[sig]] and [C[sig]].
    * [C.m] and [D.m[sig]], which a library's method may have => [C.m[sig]], while [C[sig]] tells the type arguments of
      D.

    The helpers add: methods of two supertypes that meet in C (:func:`_met`), bridges (:func:`_bridged`), and overloads
    similar to the overridden method (:func:`_overloaded`).
    """
    _met(context, one)
    _bridged(context, one, one, context.sorted_above(one.name))
    for above in [context.classes[name] for name in context.sorted_above(one.name) if name in context.classes]:
        if above is not one and above.bridges:
            _bridged(context, one, above, sorted(_above_without(context, one.name, above.name)))
    own = context.signatures.of_class[one.name]
    for variable, _, member in one.overriding:
        mine = context.signatures.of_member[one.name, member]
        if mine == TRUE:
            continue
        _overloaded(context, one, member, mine)
        for owner, other in overridden(context, one, member):
            if owner != OBJECT:
                below, theirs = context.subtype(one.name, owner), context.signatures.of_member[owner, other]
                there = [below, mine, context.method_fact(owner, other)]
                context.add(there, [theirs])
                context.add(there, [own])
                if owner not in context.classes or theirs != TRUE:
                    context.add([below, variable, theirs, own], [mine])


def _overloaded(context: Context, one: ClassItems, member: Member, mine: int) -> None:
    """[C.m[sig]], [C[sig]], S(C,D) and [D.n[sig]] => one of the methods that C.m overrides.

    D.n is an overload with as many parameters, and both methods take type variables: CFR writes ``@Override`` on C.m.
    """
    signatures = context.signatures
    key = member[0], len(method_types(member[1])[0])
    if all(member != taking for taking, _ in signatures.taking(one.name, *key)):
        return
    above = [owner for owner in context.sorted_above(one.name) if signatures.taking(owner, *key)]
    over: list[int] | None = None
    for owner in above:
        for other, theirs in signatures.taking(owner, *key):
            if owner == one.name or told_apart_by(*other) == told_apart_by(*member):
                continue
            if over is None:
                found = list(overridden(context, one, member))
                over = [context.both(*context.inherited(one.name, *each)) for each in found]
            if (owner, other) not in found:
                there = [mine, signatures.of_class[one.name], context.subtype(one.name, owner), theirs]
                context.need_one(there, over)


def _met(context: Context, one: ClassItems) -> None:
    """S(C,A) by one direct supertype of C and S(C,B) by another, [C[sig]], [A.m] and [B.m] of the same erasure, and
    [A.m[sig]] => [B.m[sig]], and the Signatures of the classes between C and A.

    A library's method may stand for [B.m]; then the Signatures between C and a generic B are needed, too. What does not
    depend on C is said once for all classes in which A and B meet: a jar of Scala has hundreds of thousands of pairs of
    methods that meet in a class.
    """
    parents = [name for name, _ in context.parents(one.name) if name != OBJECT]
    if len(parents) < 2:
        return
    generic: dict[str, int] = {}
    for left in parents:
        owners = sorted(context.above(left) & context.classes.keys())
        if not owners:
            continue  # a damaged class may have thousands of supertypes that nobody knows
        beside = {owner for name in parents if name != left for owner in context.above(name)} - {OBJECT}
        for owner, met in product(filter(context.signed, owners), sorted(beside)):
            facts = context.generic_pairs(owner, met) if owner != met else None
            if facts is None:
                continue
            there = [context.signatures.of_class[one.name], *(context.subtype(one.name, up) for up in (owner, met))]
            context.add(there, [facts[0]])
            outside = met not in context.classes and bool(context.signatures.bounds(met))
            for up in (owner, met) if outside else (owner,):
                if up not in generic:
                    generic[up] = context.fact()
                context.add([*there, facts[1]], [generic[up]])
    for owner, fact in generic.items():
        for between in context.sorted_above(one.name):
            if between != one.name and owner in context.above(between):
                path = [context.subtype(one.name, between), context.subtype(between, owner)]
                context.add([fact, *path], [context.signatures.of_class[between]])


def _bridged(context: Context, one: ClassItems, declaring: ClassItems, above: Sequence[str]) -> None:
    """S(C,X) and a bridge of ``declaring`` from other parameters => [X[sig]]. With [X.m] overridden by the bridge, also
    [X.m[sig]] and the Signature of the bridge's target.

    Decompilers write ``@Override`` on that method. With its erased parameters it overrides nothing. ``above`` are the
    classes X.
    """
    for variable, bridge, called in declaring.bridges:
        facts = [context.method_fact(use[1], use[2:4]) for use in called]
        declared = [(context.nearest(use[1], use[2:4]), use[2:4]) for use in called]
        targets = [context.signatures.of_member[found.owner, member] for found, member in declared if found]
        has = [variable] if TRUE in facts else facts
        if declaring is not one:
            has = [*has, context.subtype(one.name, declaring.name)]
        for owner in above:
            below = context.subtype(one.name, owner)
            context.add([*has, below], [context.signatures.of_class[owner]])
        for owner, other in overridden(context, one, bridge):
            if owner in above:
                signature = context.signatures.of_member[owner, other]
                there = [*has, *context.inherited(one.name, owner, other)]
                for generic in (signature, *targets):
                    context.add(there, [generic])


def _above_without(context: Context, name: str, without: str) -> set[str]:
    """Return a class and the types above it that it is below otherwise than by way of one of them."""
    found: set[str] = set()
    waiting = [name]
    while waiting:
        current = waiting.pop()
        if current not in (without, *found):
            found.add(current)
            waiting += [parent for parent, _ in context.parents(current)]
    return found


@rule("M9s", SRC, "static methods that hide each other are generic together")
def m9_source(context: Context, one: ClassItems) -> None:
    """C.m and D.m static, of the same name and erased parameters, C.m's Signature telling more of these: S(C,D),
    [C.m[sig]] and [D.m] => [D.m[sig]]. Else the two clash and none hides the other (JLS 8.4.8.3)."""
    for _, element, member, access in one.method_items:
        use = one.generic(element)
        if use is None or not access & STATIC or not (use.variables or use.takes_open or True in use.parameters):
            continue
        mine = context.signatures.of_member[one.name, member]
        for owner in context.sorted_above(one.name) if mine != TRUE else ():
            above = context.classes.get(owner) if owner != one.name else None
            for other, flags in above.facts.method_list if above is not None else ():
                if flags & (STATIC | PRIVATE) == STATIC and told_apart_by(*other) == told_apart_by(*member):
                    theirs = context.signatures.of_member[owner, other]
                    there = [context.subtype(one.name, owner), mine, context.method_fact(owner, other)]
                    context.add(there, [theirs])


@rule("H6", SRC, "all that tell the type arguments of one supertype of a class do, or none")
def h6(context: Context, one: ClassItems) -> None:
    """S(C,X), S(X,I), [X[sig]] (always there for a library's X), S(C,Y) and S(Y,I) => [Y[sig]], for X and Y that give
    the type arguments of I; one of them may be C. Javac refuses a class with I raw by one way."""
    signatures = context.signatures
    if not signatures.any:
        return
    told = {name: _told(context, one, name) for name in context.sorted_above(one.name)}
    tellers = [name for name in told if told[name]]
    for mine in tellers:
        signature = signatures.of_class[mine]
        for other in tellers if signature != TRUE else ():
            if mine == other or (
                one.name not in (mine, other) and (mine in context.above(other) or other in context.above(mine))
            ):
                continue  # a clause of one of the two
            for sup in _lowest(context, told[mine] & told[other]):
                ways = [(one.name, mine), (mine, sup), (one.name, other), (other, sup)]
                there = [context.subtype(*way) for way in ways]
                context.add([*there, signatures.of_class[other]], [signature])


def _told(context: Context, one: ClassItems, name: str) -> frozenset[str]:
    """Return the generic supertypes whose type arguments a class fixes for all its subtypes. A class with type
    parameters tells them only itself: it is raw to what is below it without a Signature."""
    if name != one.name and context.signatures.bounds(name):
        return frozenset()
    parents = [parent for parent, _ in context.parents(name) if context.signatures.bounds(parent)]
    above = {sup for parent in parents for sup in context.above(parent)}
    return frozenset(sup for sup in above if context.signatures.bounds(sup))


def _lowest(context: Context, names: frozenset[str]) -> list[str]:
    """Return the names, sorted, without those above a library's class among them."""
    outside = names - context.classes.keys()
    implied = {sup for name in outside for sup in context.above(name) if sup != name}
    return sorted(names - implied)
