"""K14, K15: the classes of values that generic code gives and takes, as source needs them. K16: the tables of local
variables."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import repeat

from core.classfile.descriptors import method_types
from core.classfile.flags import SYNTHETIC
from core.classfile.symbolic.part_kinds import PartKind
from core.code.types.code_facts import CodeFacts
from core.model.lookup import OBJECT, Member
from core.model.rules.base import SRC, rule
from core.model.rules.class_items import ClassItems, members_of
from core.model.rules.context import Context
from core.model.rules.generics.generic_members import declared_generic, implemented, told_between, used_generic

_Said = tuple[tuple[int, ...], tuple[str, ...], tuple[str, ...], tuple[str, ...]]
"""The facts that keep a Signature, the classes in its type arguments, the bounds of its type variables, and its classes
with type arguments."""


@rule("K14", SRC, "what is given for a type variable, or taken from one, stays what type arguments say")
def k14(context: Context, one: ClassItems) -> None:
    """``List<X>.add`` takes Object in bytecode, and X in source. X is a class among the type arguments of a Signature
    that the body c leans on (:func:`_said`).

    * c gives a value of class V where Object is asked for, or lets a lambda return one => S(V,X) of a supertype X,
      while X is kept.
    * c casts an Object to W => S(X,W) if W is above X, S(W,X) if W is below X, while both are kept.
    * c names a member whose type variables Y bounds => S(X,Y) if Y is above X, while both are kept. Of a library's
      method its type arguments count as bounds.
    * c has the class literal V => S(V,Y), where Y is a library's class above V in such a Signature (:func:`_literals`).
    """
    if not context.signatures.any:
        return
    for code, part in one.of(PartKind.CODE):
        facts = one.facts.code[part.element]
        results = [method_types(types)[1][1:-1] for _, types in implemented(one, facts)]
        given = [name for name in dict.fromkeys((*facts.given, *results)) if name in context.classes]
        taken = [name for name in facts.taken if context.info(name) is not None]
        said = list(_said(context, one, code, part.element, facts))
        for premises, arguments, *_ in said if given or taken else ():
            for name in arguments:
                there = [code, *premises, context.class_fact(name)]
                for source in given:
                    _stays(context, there, source, name)
                for target in taken:
                    both = [*there, context.class_fact(target)]
                    _stays(context, both, name, target)
                    _stays(context, both, target, name)
        literals = [name for name in facts.class_constants if name in context.classes]
        if literals:
            mine = one.generic(part.element)
            own = (
                (context.signatures.of_member[one.name, one.facts.method_list[part.element][0]],),
                (),
                mine.bounds if mine else (),
                (),
            )
            _literals(context, code, literals, [*said, own])
        if any(arguments for _, arguments, *_ in said):
            said += [((), (), bounds, ()) for bounds in _outside(context, facts)]
        for bounded, _, bounds, _ in said:
            for premises, arguments, *_ in said if bounds else ():
                for bound in bounds:
                    there = [code, *bounded, *premises, context.class_fact(bound)]
                    for name in arguments:
                        _stays(context, [*there, context.class_fact(name)], name, bound)


def _literals(context: Context, code: int, literals: list[str], said: list[_Said]) -> None:
    """c with the class literal V => S(V,Y) for each library's Y above V among type arguments and bounds. If Y has type
    arguments there, also the Signatures between V and Y that tell them. K9 does the same for classes of the input.
    """
    for premises, arguments, bounds, applied in said:
        for name in sorted({*arguments, *bounds} - context.classes.keys()):
            for literal in literals:
                _stays(context, [code, *premises], literal, name)
        for name in [name for name in arguments if name in applied]:
            for literal in literals:
                told_between(context, [code, *premises], literal, name)


def _outside(context: Context, facts: CodeFacts) -> Iterator[tuple[str, ...]]:
    """Yield the bounds and type arguments of the library's methods that a body calls."""
    for called in facts.called:
        use = context.signatures.outside(*called)
        if use is not None and (use.bounds or use.arguments):
            yield (*use.bounds, *use.arguments)


def _stays(context: Context, there: list[int], sub: str, sup: str) -> None:
    """[``there``] => S(sub, sup), if it holds in the full input."""
    if sub != sup and sub in context.classes and sup in context.above(sub):
        context.need_one(there, [context.subtype(sub, sup)])


def _said(context: Context, one: ClassItems, code: int, element: int, facts: CodeFacts) -> Iterator[_Said]:
    """Yield the Signatures that a body leans on: those of the used members and their owners, of its own method, of its
    own class if it uses inherited members, and of its local variables.
    """
    for each in used_generic(context, one, code, facts):
        yield (each.declared, each.signature), each.use.arguments, each.use.bounds, each.use.applied
    mine = one.generic(element)
    if mine is not None:
        yield (
            (context.signatures.of_member[one.name, one.facts.method_list[element][0]],),
            mine.arguments,
            (),
            mine.applied,
        )
    owners = {owner for owner, _ in members_of(facts)}
    if not owners.isdisjoint(context.above(one.name) - {OBJECT}):
        owners.add(one.name)  # it gives the type arguments of its supertypes
    for owner in sorted(owners):
        above = context.classes.get(owner)
        use = above.generic_class if above is not None else None
        if use is not None:
            yield (context.signatures.of_class[owner],), use.arguments, (), use.applied
    if element in one.facts.generic_locals:
        locals_ = one.facts.generic_locals[element]
        yield (), locals_.arguments, (), locals_.applied


@rule("K15", SRC, "of two overloads that fit a call, one is not raw while the other is generic")
def k15(context: Context, one: ClassItems) -> None:
    """c with a call of D.n, and [D.n], [D.m] and [D.m[sig]] => [D.n[sig]], for an overload D.m for the same arguments.
    Both have a parameter with type arguments at the same place. A raw type is no subtype of one with type arguments: so
    without n's Signature javac finds none of the two more specific."""
    if not context.signatures.any:
        return
    known = context.signatures.rivals
    for code, _, facts in one.codes:
        for used in facts.called:
            if used not in known:
                known[used] = list(_rivals(context, *used))
            for premises, signature in known[used]:
                context.add([code, *premises], [signature])


def _rivals(context: Context, owner: str, member: Member) -> Iterator[tuple[list[int], int]]:
    """Yield the overloads that fit a method's calls too: the facts for their generic form, with the method's own
    Signature."""
    mine = declared_generic(context, owner, member)
    found = context.nearest(owner, member)
    if mine is None or found is None or True not in mine.use.parameters:
        return
    taken = method_types(member[1])[0]
    above = (found.owner,) if member[0] == "<init>" else context.sorted_above(found.owner)
    for name in above:
        for other, theirs, _, use in context.signatures.overloads(name).get((member[0], len(taken)), ()):
            told = any(a and b for a, b in zip(mine.use.parameters, use.parameters, strict=False))
            if told and other != member and all(map(_fits, repeat(context), taken, method_types(other[1])[0])):
                yield [mine.declared, context.method_fact(name, other), theirs], mine.signature


def _fits(context: Context, source: str, target: str) -> bool:
    """Return True if the full input allows a value of descriptor ``source`` where ``target`` is asked for."""
    if source == target or target == "Ljava/lang/Object;":
        return True
    return source[0] == target[0] == "L" and target[1:-1] in context.above(source[1:-1])


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
        context.edge(code, context.signatures.of_member[one.name, one.facts.method_list[element][0]])
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
