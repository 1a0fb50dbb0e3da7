"""K13, K14, K15: what source needs of the generic types that code uses, of which the bytecode has only the erasure."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import repeat
from typing import NamedTuple

from core.bytecode.code_facts import CodeFacts
from core.classfile.descriptors import method_types
from core.classfile.generics.generic_use import GenericUse
from core.model.formula import TRUE
from core.model.lookup import BRIDGE, OBJECT, SYNTHETIC, Declaration, Member
from core.model.reading.facts import BootstrapFacts, Handle
from core.model.rules.base import SRC, rule
from core.model.rules.class_attributes import LAMBDA_FACTORY
from core.model.rules.class_items import ClassItems, Used, members_of
from core.model.rules.context import Context
from core.rewrite.parts import PartKind

_VISIBLE = BRIDGE | SYNTHETIC


@rule("K13", SRC, "code needs the generic types of what it uses")
def k13(context: Context, one: ClassItems) -> None:
    """c and [D.m] => [D.m[sig]] for each field and method that it names of which the type, or result, has type
    arguments, or the signature leaves parameters out (constructors of enums); c => its own, where it reads a
    parameter that has type arguments, or that leaves some out, or its result has some and it makes an object of a
    generic class and gives objects where Object is asked for: without, a cast is missing, or type arguments are
    made up. ``X<?>`` counts where c casts what a method of X gives, which of the raw X is erased, or gets an array
    of a generic class from it, and where c gives a parameter to what has X<?> as a type argument; and c and S(X,Y)
    and S(Y,D) => [Y[sig]], where c casts what it calls of X and X has from D, or reads of X a field that has a type
    variable of D's; one of the nearer [D.m], where X else has it from a library's generic class. All that it names,
    and its own, if it makes lambdas, whose parameters have no types of their own; and that of the method which a
    lambda implements with other types than the erased ones. And type variables meet type variables only: where the
    signature of c, or of some D.m that it names that takes one is kept, so is that of each that gives one, and c's
    if it has any; c's too while [C[sig]] tells what a library's method above C takes; and where c makes a D, of
    whose type arguments only uses tell, and the signature of a D.m that gives one is kept, so is that of each that
    takes one."""
    if not context.signatures.any:
        return
    known: dict[Used, _Generic | None] = {}
    for code, part in one.of(PartKind.CODE):
        facts = one.facts.code[part.element]
        own = context.signatures.of_member(one.name, "method", part.element)
        _inherited(context, code, facts)
        lambdas = bool(facts.call_sites)
        mine = one.facts.generic.get(("method", part.element))
        fills = (
            mine is not None and mine.told and bool(facts.given) and any(map(context.signatures.bounds, _made(facts)))
        )
        opens = mine is not None and _casts(context, facts, mine.takes_open)
        if part.element in one.facts.reads_told or lambdas or opens or fills:
            context.builder.edge(code, own, "K13")
        generic = list(_used_generic(context, one, facts, known))
        for implemented, _ in _implemented(one, facts):
            single = _declared_generic(context, *implemented)
            if single is not None:
                context.builder.add([code, single.declared], [single.signature], "K13")
        handed = [name for name in mine.takes_open if name in facts.given] if mine is not None else []
        for found in generic:
            if not set(handed).isdisjoint(found.use.arguments):
                context.builder.add([code, found.declared, found.signature], [own], "K13")
        takers = [found.signature for found in generic if found.use.takes_variable]
        if mine is not None and mine.variables and _gives_inherited(context, one, facts):
            context.builder.add([code, context.signatures.of_class(one.name)], [own], "K13")
        if own != TRUE:
            if mine is not None and mine.variables:
                for signature in takers:
                    context.builder.add([code, signature], [own], "K13")
            takers.append(own)
        takes = context.builder.either(takers, "K13") if takers and not lambdas else TRUE
        for found in generic:
            if lambdas or found.told or _casts(context, facts, found.use.gives_open):
                context.builder.add([code, found.declared], [found.signature], "K13")
            elif found.use.gives_variable and takers:
                context.builder.add([code, takes, found.declared], [found.signature], "K13")
        _filled(context, code, facts, generic)


def _made(facts: CodeFacts) -> set[str]:
    """The classes of which a body makes objects, and its superclass, if it is a constructor's."""
    return {owner for _, owner, name, _, _ in facts.methods if name == "<init>"}


def _filled(context: Context, code: int, facts: CodeFacts, generic: list[_Generic]) -> None:
    """K13 for the generic objects that a body makes."""
    made = _made(facts)
    for giver in generic:
        for taker in generic if giver.use.gives_variable and giver.owner in made else ():
            if taker.owner == giver.owner and taker.use.takes_variable:
                there = [code, giver.declared, giver.signature, taker.declared]
                context.builder.add(there, [taker.signature], "K13")


def _casts(context: Context, facts: CodeFacts, classes: tuple[str, ...]) -> bool:
    """Whether a body casts what a method of one of the classes gives, or what may come from that; or gets an array of a
    generic class, of which decompilers write the type arguments."""
    return any(use[1] in classes and _is_cast(context, facts, use[3]) for use in facts.methods) if classes else False


def _is_cast(context: Context, facts: CodeFacts, descriptor: str) -> bool:
    """Whether a body casts what a method of that descriptor gives, or what may come from that."""
    result = method_types(descriptor)[1]
    if result[-1] != ";":
        return False
    name = result.lstrip("[")[1:-1]
    if (facts.taken and name == OBJECT) or any(source == name for source, _ in facts.casts):
        return True
    return (result[0] == "[" or bool(facts.taken)) and bool(context.signatures.bounds(name))


def _inherited(context: Context, code: int, facts: CodeFacts) -> None:
    """K13 for a member that a class has from another: what the class's Signature says of that gives the result. One
    that it would have from a library's generic class, were it not for nearer ones: one of those."""
    for _, owner, name, descriptor, _ in facts.methods:
        if owner in context.classes and _is_cast(context, facts, descriptor):
            _between(context, [code], owner, (name, descriptor))
            declared = context.hierarchy.lookup_method(owner, (name, descriptor))
            last = declared[-1].owner if len(declared) > 1 else owner
            if last not in context.classes and context.signatures.bounds(last):
                nearer = [context.hierarchy.reached(owner, one, (name, descriptor)) for one in declared[:-1]]
                context.need_one([code, context.hierarchy.subtype(owner, last)], nearer, "K13")
    for kind, owner, name, descriptor in facts.fields:
        field = _declared_generic(context, owner, (name, descriptor)) if kind == "get" else None
        if owner in context.classes and field is not None and field.use.gives_variable:
            _between(context, [code, field.signature], owner, (name, descriptor))


def _gives_inherited(context: Context, one: ClassItems, facts: CodeFacts) -> bool:
    """Whether a body gives an object of a class to a library's method that its class, which is generic, has from it:
    one that may take a type variable."""
    use = one.facts.generic.get(("class", -1))
    if use is None or not use.variables or not facts.given:
        return False
    hierarchy = context.hierarchy
    for _, owner, name, descriptor, _ in facts.methods:
        if owner in hierarchy.above(one.name) and "Ljava/lang/Object;" in method_types(descriptor)[0]:
            found = hierarchy.nearest(owner, (name, descriptor))
            if found is not None and found.owner not in context.classes:
                return True
    return False


def _nearest(context: Context, owner: str, member: Member) -> Declaration | None:
    """The declaration that resolution ends at, or that behind a bridge which only lets others see it."""
    found = context.hierarchy.nearest(owner, member)
    one = context.classes.get(found.owner) if found is not None else None
    if one is None or one.facts.methods.get(member, 0) & _VISIBLE != _VISIBLE:
        return found
    number = [declared for declared, _ in one.facts.method_list].index(member)
    above = [use[1] for use in one.facts.code[number].methods if use[2:4] == member and use[1] != one.name]
    return _nearest(context, above[0], member) if above else found


def _between(context: Context, premises: list[int], owner: str, member: Member) -> None:
    hierarchy = context.hierarchy
    found = _nearest(context, owner, member)
    for between in hierarchy.sorted_above(owner) if found is not None and found.owner != owner else ():
        signature = context.signatures.of_class(between)
        if found is not None and signature != TRUE and found.owner in hierarchy.above(between):
            there = [hierarchy.subtype(owner, between), hierarchy.subtype(between, found.owner)]
            context.builder.add([*premises, *there], [signature], "K13")


class _Generic(NamedTuple):
    """A field or method with a Signature that is an item: the facts of the two, what the Signature leans on."""

    owner: str
    declared: int
    signature: int
    use: GenericUse
    told: bool
    """Whether whoever uses the member needs its Signature."""


def _declared_generic(context: Context, owner: str, member: Member) -> _Generic | None:
    """The field or method that resolution ends at, and its Signature; None where that is no item."""
    found = _nearest(context, owner, member)
    if found is None:
        return None
    is_method = member[1].startswith("(")
    kind = "method" if is_method else "field"
    signature = context.signatures.by_name(found.owner, kind, member)
    if signature == TRUE:
        return None
    facts = context.classes[found.owner].facts
    members = facts.method_list if is_method else facts.field_list
    number = [declared for declared, _ in members].index(member)
    use = facts.generic.get((kind, number))
    if use is None:
        return None
    variables = context.variables.methods if is_method else context.variables.fields
    hides = is_method and len(use.parameters) != len(method_types(member[1])[0])
    return _Generic(found.owner, variables.get((found.owner, member), TRUE), signature, use, use.told or hides)


def _used_generic(
    context: Context, one: ClassItems, facts: CodeFacts, known: dict[Used, _Generic | None]
) -> Iterator[_Generic]:
    """What a body uses, by way of access$ methods too, and what its lambdas are made of."""
    for used in sorted(_led_to(context, members_of(facts) | {(each[1], each[2:4]) for each in _handles(one, facts)})):
        if used not in known:
            known[used] = _declared_generic(context, *used)
        found = known[used]
        if found is not None:
            yield found


def _led_to(context: Context, members: set[Used]) -> set[Used]:
    """The members, with what those that let a nested class in lead to."""
    found = set(members)
    for owner, member in members:
        if member[0].startswith("access$") and (owner, member) in context.variables.methods:
            facts = context.classes[owner].facts
            number = [declared for declared, _ in facts.method_list].index(member)
            found |= members_of(facts.code[number])
    return found


def _lambdas(one: ClassItems, facts: CodeFacts) -> Iterator[tuple[str, str, BootstrapFacts]]:
    """The lambdas of a body: the interface's descriptor, its method's name, what makes it."""
    for _, index, name, descriptor in facts.call_sites:
        if descriptor.startswith("(") and index < len(one.facts.bootstraps):
            bootstrap = one.facts.bootstraps[index]
            if bootstrap.method[1] == LAMBDA_FACTORY and len(bootstrap.types) > 1 and bootstrap.handles:
                yield method_types(descriptor)[1], name, bootstrap


def _handles(one: ClassItems, facts: CodeFacts) -> Iterator[Handle]:
    for _, _, bootstrap in _lambdas(one, facts):
        yield bootstrap.handles[0]


def _implemented(one: ClassItems, facts: CodeFacts) -> Iterator[tuple[Used, str]]:
    """The interface methods that the lambdas of a body implement with other types than the erased ones, and these."""
    for interface, name, bootstrap in _lambdas(one, facts):
        erased, instantiated = bootstrap.types[:2]
        if erased != instantiated and interface[0] == "L":
            yield (interface[1:-1], (name, erased)), instantiated


@rule("K14", SRC, "what is given for a type variable, or taken from one, stays what type arguments say")
def k14(context: Context, one: ClassItems) -> None:
    """c, which gives a value of class V where Object is asked for, or has a lambda give it, and a Signature that has
    V's supertype X among its type arguments, that of c itself, of a local variable, of a field or method D.m that c
    names, or of D => S(V,X), while X is kept: ``List<X>.add`` takes Object in bytecode, and X in source. c, which casts
    an Object to W, and such an X, while the two are kept: S(X,W) if W is above X, S(W,X) if it is below. c, such an X,
    and a D.m that c names whose type variables Y bounds => S(X,Y), if Y is above X, while the two are kept."""
    if not context.signatures.any:
        return
    known: dict[Used, _Generic | None] = {}
    for code, part in one.of(PartKind.CODE):
        facts = one.facts.code[part.element]
        results = [method_types(types)[1][1:-1] for _, types in _implemented(one, facts)]
        given = [name for name in dict.fromkeys((*facts.given, *results)) if name in context.classes]
        taken = [name for name in facts.taken if context.hierarchy.info(name) is not None]
        said = list(_said(context, one, part.element, facts, known))
        for premises, arguments, _ in said if given or taken else ():
            for name in arguments:
                there = [code, *premises, context.hierarchy.class_fact(name)]
                for source in given:
                    _stays(context, there, source, name)
                for target in taken:
                    both = [*there, context.hierarchy.class_fact(target)]
                    _stays(context, both, name, target)
                    _stays(context, both, target, name)
        for bounded, _, bounds in said:
            for premises, arguments, _ in said if bounds else ():
                for bound in bounds:
                    there = [code, *bounded, *premises, context.hierarchy.class_fact(bound)]
                    for name in arguments:
                        _stays(context, [*there, context.hierarchy.class_fact(name)], name, bound)


def _stays(context: Context, there: list[int], sub: str, sup: str) -> None:
    """K14: a class that is below another stays so."""
    if sub != sup and sub in context.classes and sup in context.hierarchy.above(sub):
        context.need_one(there, [context.hierarchy.subtype(sub, sup)], "K14")


def _said(
    context: Context, one: ClassItems, element: int, facts: CodeFacts, known: dict[Used, _Generic | None]
) -> Iterator[tuple[tuple[int, ...], tuple[str, ...], tuple[str, ...]]]:
    """The Signatures that a body leans on, each as what keeps it, the classes in its type arguments, and those that
    bound the type variables which a member declares."""
    for each in _used_generic(context, one, facts, known):
        yield (each.declared, each.signature), each.use.arguments, each.use.bounds
    mine = one.facts.generic.get(("method", element))
    if mine is not None:
        yield (context.signatures.of_member(one.name, "method", element),), mine.arguments, ()
    for owner in sorted({owner for owner, _ in members_of(facts)}):
        above = context.classes.get(owner)
        use = above.facts.generic.get(("class", -1)) if above is not None else None
        if use is not None:
            yield (context.signatures.of_class(owner),), use.arguments, ()
    if element in one.facts.generic_locals:
        yield (), one.facts.generic_locals[element].arguments, ()


@rule("K15", SRC, "of two overloads that fit a call, one is not raw while the other is generic")
def k15(context: Context, one: ClassItems) -> None:
    """c, which calls D.n, and [D.n], [D.m] and [D.m[sig]] => [D.n[sig]], where D.m is of the same name and takes what
    D.n takes, and both have a parameter with type arguments at the same place: a raw type is no subtype of one with
    type arguments, so without n's javac finds none of the two more specific."""
    if not context.signatures.any:
        return
    known: dict[Used, list[tuple[list[int], int]]] = {}
    for code, _, facts in one.codes:
        for _, owner, name, descriptor, _ in facts.methods:
            used = owner, (name, descriptor)
            if used not in known:
                known[used] = list(_rivals(context, *used))
            for premises, signature in known[used]:
                context.builder.add([code, *premises], [signature], "K15")


def _rivals(context: Context, owner: str, member: Member) -> Iterator[tuple[list[int], int]]:
    """The overloads of a method that fit its calls too, as what keeps them generic, with its own Signature."""
    mine = _declared_generic(context, owner, member)
    found = context.hierarchy.nearest(owner, member)
    if mine is None or found is None or True not in mine.use.parameters:
        return
    taken = method_types(member[1])[0]
    above = (found.owner,) if member[0] == "<init>" else context.hierarchy.sorted_above(found.owner)
    for name in above:
        for other, _ in context.classes[name].facts.method_list if name in context.classes else ():
            if other[0] != member[0] or other == member:
                continue
            wanted = method_types(other[1])[0]
            theirs = _declared_generic(context, name, other)
            if theirs is None or len(wanted) != len(taken) or not all(map(_fits, repeat(context), taken, wanted)):
                continue
            if any(a and b for a, b in zip(mine.use.parameters, theirs.use.parameters, strict=False)):
                yield [mine.declared, theirs.declared, theirs.signature], mine.signature


def _fits(context: Context, source: str, target: str) -> bool:
    """Whether a value of one descriptor can be given where the other is asked for, as the full input has it."""
    if source == target or target == "Ljava/lang/Object;":
        return True
    return source[0] == target[0] == "L" and target[1:-1] in context.hierarchy.above(source[1:-1])
