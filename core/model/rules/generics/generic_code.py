"""K13: the Signatures that source needs for the generic types in its code.

Bytecode has the erasure of generic types: ``String name = list.get(0)`` calls a method of result Object, and casts the
result. A decompiler reads the type arguments from Signature attributes. Without one, the decompiler's source lacks a
cast or has made-up type arguments, and javac refuses source that it accepts for the full input.

Each function below has one reason for keeping a Signature; :func:`k13` names them all.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from core.classfile.descriptors import method_types
from core.classfile.flags import SYNTHETIC
from core.classfile.generic_use import GenericUse
from core.classfile.symbolic.part_kinds import PartKind
from core.code.types.code_facts import CodeFacts
from core.model.formula import TRUE
from core.model.lookup import OBJECT, Member
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

_READING = "$deserializeLambda$"
"""The method that makes a serialized lambda; no source shows it."""


class _Body(NamedTuple):
    """The body of a method, as K13 sees it."""

    code: int
    """Variable of the body."""
    facts: CodeFacts
    use: GenericUse | None
    """Types in the method's Signature; None if there is none."""
    own: int
    """Variable of the method's Signature; TRUE if that is no item."""
    used: list[Generic]
    """Fields and methods with a Signature that the body uses."""

    @property
    def makes_lambdas(self) -> bool:
        """True if the body makes lambdas, whose parameters have no types of their own in source."""
        return bool(self.facts.call_sites)


@rule("K13", SRC, "code needs the generic types of what it uses")
def k13(context: Context, one: ClassItems) -> None:
    """Keep the Signatures that a body needs: those of its own method, of the used members, of the classes inheriting
    these members, and of the methods implemented by lambdas.
    """
    if not context.signatures.any:
        return
    makers = _makers_of_lambdas(one)
    for code, part in one.of(PartKind.CODE):
        facts = one.facts.code[part.element]
        own = context.signatures.of_member[one.name, one.facts.method_list[part.element][0]]
        use = one.generic(part.element)
        body = _Body(code, facts, use, own, used_generic(context, one, code, facts))
        _inherited(context, body)
        if body.makes_lambdas or part.element in one.facts.reads_told or _shapes_result(context, body):
            context.edge(code, own)
        _implemented_by_lambdas(context, one, body)
        _wildcards_given(context, body)
        takers = _takers(context, one, body)
        member = one.facts.method_list[part.element][0]
        if member in makers:
            _within_makers(context, one, body, makers[member])
            if method_types(member[1])[1][-1] == ";":
                takers.append(TRUE)  # whoever calls the lambda takes what it returns
        _used(context, body, takers)
        _filled(context, body)
        _handed_over(context, body)


def _shapes_result(context: Context, body: _Body) -> bool:
    """Return True if type arguments in the body's own Signature decide casts in the body.

    Either the body casts what a method of a class ``X`` returns, and a parameter is an ``X<?>``: of the raw ``X`` the
    result is erased. Or the result has type arguments, and the body fills an object of a generic class.
    """
    use, facts = body.use, body.facts
    if use is None:
        return False
    fills = use.told and bool(facts.given) and any(map(context.signatures.bounds, _made(facts)))
    return fills or _casts(context, facts, use.takes_open)


def _implemented_by_lambdas(context: Context, one: ClassItems, body: _Body) -> None:
    """Keep the Signatures of the methods that the body's lambdas implement with other types than the erased ones."""
    for method, _ in implemented(one, body.facts):
        single = declared_generic(context, *method)
        if single is not None:
            context.add([body.code, single.declared], [single.signature])


def _wildcards_given(context: Context, body: _Body) -> None:
    """Keep the body's own Signature if the body gives a parameter of type ``X<?>`` to a method with ``X<?>`` among its
    type arguments, or among those of its class's supertype.
    """
    given = [name for name in body.use.takes_open if name in body.facts.given] if body.use is not None else []
    for found in body.used:
        if not set(given).isdisjoint(found.use.arguments):
            context.add([body.code, found.declared, found.signature], [body.own])
    for premises in _open_above(context, body.facts, given):
        context.add([body.code, *premises], [body.own])


def _takers(context: Context, one: ClassItems, body: _Body) -> list[int]:
    """Return the Signatures by which the body hands a value to a type variable; the body's own is among them.

    Keep the body's own Signature, if it has type variables, while one of the others is there: a type variable takes
    what is of a type variable only.
    """
    takers = [found.signature for found in body.used if found.use.takes_variable]
    has_variables = body.use is not None and body.use.variables
    if has_variables and _gives_inherited(context, one, body.facts):
        context.add([body.code, context.signatures.of_class[one.name]], [body.own])
    if body.own == TRUE:
        return takers
    for signature in takers if has_variables else ():
        context.add([body.code, signature], [body.own])
    return [*takers, body.own]


def _used(context: Context, body: _Body, takers: list[int]) -> None:
    """Keep the Signatures of the members that the body uses.

    Each is needed if the member's type or result has type arguments, if the Signature leaves parameters out
    (constructors of enums), if the body makes lambdas, or if the body casts what the member gives. One that gives a
    type variable is needed while one of the ``takers`` is there.
    """
    lambdas, facts = body.makes_lambdas, body.facts
    raw = _calls_raw(context, facts)
    givers = []
    for found in body.used:
        gives = found.use.gives_variable
        if lambdas or found.told or (raw and gives) or _casts(context, facts, found.use.gives_open):
            context.add([body.code, found.declared], [found.signature])
        elif gives and takers:
            givers.append(found)
    takes = context.either(takers) if givers else TRUE
    for found in givers:
        context.add([body.code, takes, found.declared], [found.signature])


def _open_above(context: Context, facts: CodeFacts, handed: list[str]) -> Iterator[list[int]]:
    """Yield the facts that keep each Signature with one of ``handed`` among its type arguments. The Signatures are
    those of the classes above the owners of the members that a body uses."""
    for owner in sorted({owner for owner, _ in members_of(facts)}) if handed else ():
        for above in context.sorted_above(owner) if owner in context.classes else ():
            there = context.classes.get(above)
            use = there.generic_class if there is not None else None
            if use is not None and not set(handed).isdisjoint(use.arguments):
                yield [context.signatures.of_class[above], context.subtype(owner, above)]


def _made(facts: CodeFacts) -> set[str]:
    """Return the classes of which a body makes objects, and its superclass, if it is a constructor's."""
    return {owner for _, owner, name, _, _ in facts.methods if name == "<init>"}


def _filled(context: Context, body: _Body) -> None:
    """Keep the Signatures of methods that fill a generic object made by the body, while a method returning a type
    variable of the object has its Signature. Only the uses tell the type arguments of a new object.
    """
    made = _made(body.facts)
    for giver in body.used:
        for taker in body.used if giver.use.gives_variable and giver.owner in made else ():
            if taker.owner == giver.owner and taker.use.takes_variable:
                there = [body.code, giver.declared, giver.signature, taker.declared]
                context.add(there, [taker.signature])


def _handed_over(context: Context, body: _Body) -> None:
    """Keep the Signatures between the class of a new object and the parameter type of a method with type variables of
    its own, if the body casts the method's result.
    """
    facts = body.facts
    made = sorted(_made(facts) & context.classes.keys())
    for owner, member in facts.called if made else ():
        called = declared_generic(context, owner, member)
        use = called.use if called is not None else context.signatures.outside(owner, member)
        if use is None or not (use.declared and use.takes_variable and use.gives_variable):
            continue
        there = [called.declared, called.signature] if called is not None else []
        for taken in method_types(member[1])[0] if _is_cast(context, facts, member[1]) else ():
            for value in made:
                told_between(context, [body.code, *there], value, taken[1:-1])


def _calls_raw(context: Context, facts: CodeFacts) -> bool:
    """Return True if a body casts the result of a method with type variables of its own. The method's class is a
    generic one to which the body casts an Object."""
    for owner, member in facts.called if facts.taken else ():
        if owner in facts.taken and context.signatures.bounds(owner) and _is_cast(context, facts, member[1]):
            called = declared_generic(context, owner, member)
            use = called.use if called is not None else context.signatures.outside(owner, member)
            if use is not None and use.declared and use.gives_variable:
                return True
    return False


def _casts(context: Context, facts: CodeFacts, classes: tuple[str, ...]) -> bool:
    """Return True if a body casts the result of a method of one of the classes, or a value that may come from such a
    result. Return True also for a result that is an array of a generic class, because decompilers write the type
    arguments of arrays."""
    return any(use[1] in classes and _is_cast(context, facts, use[3]) for use in facts.methods) if classes else False


def _is_cast(context: Context, facts: CodeFacts, descriptor: str) -> bool:
    """Return True if a body casts the result of a method of that descriptor, or a value possibly derived from it."""
    result = method_types(descriptor)[1]
    if result[-1] != ";":
        return False
    name = result.lstrip("[")[1:-1]
    if (facts.taken and name == OBJECT) or any(source == name for source, _ in facts.casts):
        return True
    return (result[0] == "[" or bool(facts.taken)) and bool(context.signatures.bounds(name))


def _inherited(context: Context, body: _Body) -> None:
    """Keep the Signatures with the type arguments of a generic class from which a class inherits a member.

    This is for members with a cast result, for fields of a type variable's type, and for methods with type variables if
    the body makes lambdas.
    """
    code, facts = body.code, body.facts
    for owner, member in facts.called:
        if owner in context.classes and facts.call_sites:
            called = declared_generic(context, owner, member)
            if called is not None and called.use.variables:
                _between(context, [code, called.signature], owner, member)
        if owner in context.classes and _is_cast(context, facts, member[1]):
            _between(context, [code], owner, member)
            _nearer_than_library(context, code, owner, member)
    for kind, owner, name, descriptor in facts.fields:
        field = declared_generic(context, owner, (name, descriptor)) if kind == "get" else None
        if owner in context.classes and field is not None and field.use.gives_variable:
            _between(context, [code, field.signature], owner, (name, descriptor))


def _nearer_than_library(context: Context, code: int, owner: str, member: Member) -> None:
    """Keep a declaration nearer to ``owner`` than that of a library's generic class above it: the library's would
    return a type variable.
    """
    declared = context.lookup_method(owner, member)
    last = declared[-1].owner if len(declared) > 1 else owner
    if last not in context.classes and context.signatures.bounds(last):
        nearer = [context.reached(owner, one, member) for one in declared[:-1]]
        context.need_one([code, context.subtype(owner, last)], nearer)


def _gives_inherited(context: Context, one: ClassItems, facts: CodeFacts) -> bool:
    """Return True if a body passes an object of a class to a method that its generic class inherits from a library, and
    the method may take a type variable."""
    use = one.generic_class
    if use is None or not use.variables or not facts.given:
        return False
    for owner, member in facts.called:
        if owner in context.above(one.name) and "Ljava/lang/Object;" in method_types(member[1])[0]:
            found = context.nearest(owner, member)
            if found is not None and found.owner not in context.classes:
                return True
    return False


def _between(context: Context, premises: list[int], owner: str, member: Member) -> None:
    """Keep the Signatures of the classes between ``owner`` and the class from which it inherits ``member``."""
    found = declaration(context, owner, member)
    if found is not None:
        told_between(context, premises, owner, found.owner)


def _makers_of_lambdas(one: ClassItems) -> dict[Member, list[int]]:
    """Return javac's methods of lambdas, each with the variables of the bodies around the lambda."""
    found: dict[Member, list[int]] = {}
    for code, (maker, _), facts in one.codes:
        for _, owner, name, descriptor, _ in handles(one, facts) if facts.call_sites and maker != _READING else ():
            if owner == one.name and one.facts.methods.get((name, descriptor), 0) & SYNTHETIC:
                found.setdefault((name, descriptor), []).append(code)
    return found


def _within_makers(context: Context, one: ClassItems, body: _Body, makers: list[int]) -> None:
    """Keep one of the ``makers`` of a lambda; ``body`` is javac's method of it. That method has no Signature, so source
    needs the place of the lambda.

    This is for a body with a lambda of other types than the erased ones, and for one that hands a value to a type
    variable.
    """
    if any(implemented(one, body.facts)):
        context.need_one([body.code], makers)
        return
    for found in body.used:
        if found.use.takes_variable:
            context.need_one([body.code, found.declared, found.signature], makers)
