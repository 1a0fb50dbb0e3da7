"""K13: what source needs of the generic types that code uses, of which the bytecode has only the erasure."""

from __future__ import annotations

from collections.abc import Iterator

from core.bytecode.code_facts import CodeFacts
from core.classfile.descriptors import method_types
from core.model.formula import TRUE
from core.model.lookup import OBJECT, SYNTHETIC, Member
from core.model.rules.base import SRC, rule
from core.model.rules.class_items import ClassItems, members_of
from core.model.rules.context import Context
from core.model.rules.generics.generic_members import (
    declaration,
    declared_generic,
    handles,
    implemented,
    told_between,
    used_generic,
)
from core.model.rules.generics.generic_signatures import Generic
from core.rewrite.parts import PartKind

_READING = "$deserializeLambda$"
"""The method that makes a lambda which was serialized; no source shows it."""


@rule("K13", SRC, "code needs the generic types of what it uses")
def k13(context: Context, one: ClassItems) -> None:
    """c and [D.m] => [D.m[sig]] for each field and method that it names of which the type, or result, has type
    arguments, or the signature leaves parameters out (constructors of enums); c => its own, where it reads a
    parameter that has type arguments, or that leaves some out, or its result has some and it makes an object of a
    generic class and gives objects where Object is asked for: without, a cast is missing, or type arguments are
    made up. ``X<?>`` counts where c casts what a method of X gives, which of the raw X is erased, or gets an array
    of a generic class from it, and where c gives a parameter to what has X<?> as a type argument, or stands below
    a class that has; and c and S(X,Y) and S(Y,D) => [Y[sig]], where c casts what it calls of X and X has from D, or
    reads of X a field that has a type variable of D's, or makes lambdas and calls of X what takes or gives type
    variables; one of the nearer [D.m], where X else has it from a library's generic class; and where c makes a V, gives
    it to a method with type variables, of the input or not, that takes V's supertype, and casts what that gives, the
    Signatures between V and the supertype. What gives a type variable too, where c casts an Object to a generic class
    X and calls a method of X that has type variables of its own, whose result it casts: of the raw X that is erased.
    All that it names, and its own, if it makes lambdas, whose parameters have no types of their own; and that of the
    method which a lambda implements with other types than the erased ones. And type variables meet type variables
    only: where the signature of c, or of some D.m that it names that takes one is kept, so is that of each that gives
    one, and c's if it has any; c's too while [C[sig]] tells what a library's method above C takes; and where c makes a
    D, of whose type arguments only uses tell, and the signature of a D.m that gives one is kept, so is that of each
    that takes one. A lambda's body gives its result to whoever calls it; one in which another lambda implements other
    types than the erased ones, or that names such a D.m which takes a type variable, needs a body that makes it, for
    it has no Signature of its own."""
    if not context.signatures.any:
        return
    bodies = lambda_bodies(one)
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
        generic = used_generic(context, one, code, facts)
        for method, _ in implemented(one, facts):
            single = declared_generic(context, *method)
            if single is not None:
                context.builder.add([code, single.declared], [single.signature], "K13")
        handed = [name for name in mine.takes_open if name in facts.given] if mine is not None else []
        for found in generic:
            if not set(handed).isdisjoint(found.use.arguments):
                context.builder.add([code, found.declared, found.signature], [own], "K13")
        for premises in _open_above(context, facts, handed):
            context.builder.add([code, *premises], [own], "K13")
        takers = [found.signature for found in generic if found.use.takes_variable]
        if mine is not None and mine.variables and _gives_inherited(context, one, facts):
            context.builder.add([code, context.signatures.of_class(one.name)], [own], "K13")
        if own != TRUE:
            if mine is not None and mine.variables:
                for signature in takers:
                    context.builder.add([code, signature], [own], "K13")
            takers.append(own)
        member = one.facts.method_list[part.element][0]
        if member in bodies:
            within_makers(context, one, facts, code, bodies[member], generic)
            takers += [TRUE] if method_types(member[1])[1][-1] == ";" else []
        takes = context.builder.either(takers, "K13") if takers and not lambdas else TRUE
        raw = _calls_raw(context, facts)
        for found in generic:
            if (
                lambdas
                or found.told
                or (raw and found.use.gives_variable)
                or _casts(context, facts, found.use.gives_open)
            ):
                context.builder.add([code, found.declared], [found.signature], "K13")
            elif found.use.gives_variable and takers:
                context.builder.add([code, takes, found.declared], [found.signature], "K13")
        _filled(context, code, facts, generic)
        _handed_over(context, code, facts)


def _open_above(context: Context, facts: CodeFacts, handed: list[str]) -> Iterator[list[int]]:
    """Yield the facts that keep each Signature with one of ``handed`` among its type arguments. The Signatures are
    those of the classes above the owners of the members that a body uses."""
    hierarchy = context.hierarchy
    for owner in sorted({owner for owner, _ in members_of(facts)}) if handed else ():
        for above in hierarchy.sorted_above(owner) if owner in context.classes else ():
            there = context.classes.get(above)
            use = there.facts.generic.get(("class", -1)) if there is not None else None
            if use is not None and not set(handed).isdisjoint(use.arguments):
                yield [context.signatures.of_class(above), hierarchy.subtype(owner, above)]


def _made(facts: CodeFacts) -> set[str]:
    """Return the classes of which a body makes objects, and its superclass, if it is a constructor's."""
    return {owner for _, owner, name, _, _ in facts.methods if name == "<init>"}


def _filled(context: Context, code: int, facts: CodeFacts, generic: list[Generic]) -> None:
    """K13 for the generic objects that a body makes."""
    made = _made(facts)
    for giver in generic:
        for taker in generic if giver.use.gives_variable and giver.owner in made else ():
            if taker.owner == giver.owner and taker.use.takes_variable:
                there = [code, giver.declared, giver.signature, taker.declared]
                context.builder.add(there, [taker.signature], "K13")


def _handed_over(context: Context, code: int, facts: CodeFacts) -> None:
    """K13 for objects that a body makes and gives to a method with type variables, of which it casts the result."""
    made = sorted(_made(facts) & context.classes.keys())
    for _, owner, name, descriptor, _ in facts.methods if made else ():
        called = declared_generic(context, owner, (name, descriptor))
        use = called.use if called is not None else context.signatures.outside(owner, (name, descriptor))
        if use is None or not (use.declared and use.takes_variable and use.gives_variable):
            continue
        there = [called.declared, called.signature] if called is not None else []
        for taken in method_types(descriptor)[0] if _is_cast(context, facts, descriptor) else ():
            for value in made:
                told_between(context, [code, *there], value, taken[1:-1], "K13")


def _calls_raw(context: Context, facts: CodeFacts) -> bool:
    """Return True if a body casts the result of a method with type variables of its own, whose class is a generic one
    to which the body casts an Object."""
    for _, owner, name, descriptor, _ in facts.methods if facts.taken else ():
        if owner in facts.taken and context.signatures.bounds(owner) and _is_cast(context, facts, descriptor):
            called = declared_generic(context, owner, (name, descriptor))
            use = called.use if called is not None else context.signatures.outside(owner, (name, descriptor))
            if use is not None and use.declared and use.gives_variable:
                return True
    return False


def _casts(context: Context, facts: CodeFacts, classes: tuple[str, ...]) -> bool:
    """Return True if a body casts the result of a method of one of the classes, or a value that may come from such a
    result. Return True also for a result that is an array of a generic class, because decompilers write the type
    arguments of arrays."""
    return any(use[1] in classes and _is_cast(context, facts, use[3]) for use in facts.methods) if classes else False


def _is_cast(context: Context, facts: CodeFacts, descriptor: str) -> bool:
    """Return True if a body casts the result of a method of that descriptor, or a value that may come from such a
    result."""
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
        if owner in context.classes and facts.call_sites:
            called = declared_generic(context, owner, (name, descriptor))
            if called is not None and called.use.variables:
                _between(context, [code, called.signature], owner, (name, descriptor))
        if owner in context.classes and _is_cast(context, facts, descriptor):
            _between(context, [code], owner, (name, descriptor))
            declared = context.hierarchy.lookup_method(owner, (name, descriptor))
            last = declared[-1].owner if len(declared) > 1 else owner
            if last not in context.classes and context.signatures.bounds(last):
                nearer = [context.hierarchy.reached(owner, one, (name, descriptor)) for one in declared[:-1]]
                context.need_one([code, context.hierarchy.subtype(owner, last)], nearer, "K13")
    for kind, owner, name, descriptor in facts.fields:
        field = declared_generic(context, owner, (name, descriptor)) if kind == "get" else None
        if owner in context.classes and field is not None and field.use.gives_variable:
            _between(context, [code, field.signature], owner, (name, descriptor))


def _gives_inherited(context: Context, one: ClassItems, facts: CodeFacts) -> bool:
    """Return True if a body passes an object of a class to a method that its generic class inherits from a library, and
    the method may take a type variable."""
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


def _between(context: Context, premises: list[int], owner: str, member: Member) -> None:
    hierarchy = context.hierarchy
    found = declaration(context, owner, member)
    for between in hierarchy.sorted_above(owner) if found is not None and found.owner != owner else ():
        signature = context.signatures.of_class(between)
        if found is not None and signature != TRUE and found.owner in hierarchy.above(between):
            there = [hierarchy.subtype(owner, between), hierarchy.subtype(between, found.owner)]
            context.builder.add([*premises, *there], [signature], "K13")


def lambda_bodies(one: ClassItems) -> dict[Member, list[int]]:
    """Return the methods that javac makes of lambdas, each with the variables of the bodies that make these."""
    found: dict[Member, list[int]] = {}
    for code, (maker, _), facts in one.codes:
        for _, owner, name, descriptor, _ in handles(one, facts) if facts.call_sites and maker != _READING else ():
            if owner == one.name and one.facts.methods.get((name, descriptor), 0) & SYNTHETIC:
                found.setdefault((name, descriptor), []).append(code)
    return found


def within_makers(
    context: Context, one: ClassItems, facts: CodeFacts, code: int, makers: list[int], used: list[Generic]
) -> None:
    """[C.lambda!code], which makes a lambda of other types than the erased ones, or names what takes a type variable,
    while the Signature of that is kept => one of the bodies that make it."""
    if any(implemented(one, facts)):
        context.need_one([code], makers, "K13")
        return
    for found in used:
        if found.use.takes_variable:
            context.need_one([code, found.declared, found.signature], makers, "K13")
