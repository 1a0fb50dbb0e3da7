"""H: superclasses and interfaces."""

from __future__ import annotations

from itertools import combinations

from core.classfile.descriptors import class_names, method_types
from core.classfile.flags import ABSTRACT, INTERFACE, PRIVATE, PROTECTED, PUBLIC, STATIC
from core.classfile.symbolic.part_kinds import PartKind
from core.model.formula import TRUE
from core.model.hierarchy import Hierarchy
from core.model.lookup import OBJECT, Member
from core.model.rules.base import JVM, SRC, names_its_class, rule
from core.model.rules.class_items import ClassItems
from core.model.rules.context import Context
from core.parts.code_part import told_apart

_OBJECT_TYPE = f"L{OBJECT};"


rule("H1", JVM, "a class that implements an interface needs it")(names_its_class(PartKind.INTERFACE))
rule("H2", JVM, "a class needs its superclass")(names_its_class(PartKind.SUPERCLASS))


def super_constructors(hierarchy: Hierarchy, origin: str, superclass: str) -> list[tuple[Member, tuple[int, ...]]]:
    """Return the constructors of ``superclass`` that a constructor of ``origin`` may call, each with the facts it
    needs. First come those that source can tell from all others by default values. Of these and of the rest, those with
    parameters possibly of a type variable come last: decompilers write ``(Object[])null``, no T[] to javac. Of a
    missing superclass only the constructors that ``origin`` calls are known, each with the classes in its descriptor.
    """
    info = hierarchy.info(superclass)
    if info is None:
        called = hierarchy.inside[origin].constructors_called(superclass) or ("()V",)
        return [(("<init>", one), tuple(map(hierarchy.class_fact, class_names(one)))) for one in called]
    found: list[tuple[Member, tuple[int, ...]]] = []
    for member, access in info.methods.items():
        if member[0] != "<init>":
            continue
        kept = hierarchy.variables.methods[superclass, member]
        if access & (PUBLIC | PROTECTED) or (not access & PRIVATE and hierarchy.same_package(origin, superclass)):
            found.append((member, (kept,)))
        elif access & PRIVATE and hierarchy.may_use_private(origin, superclass):
            found.append((member, (kept, hierarchy.nest_fact(origin), hierarchy.nest_fact(superclass))))
    all_ = [member[1] for member, _ in found]
    return sorted(found, key=lambda each: (not told_apart(each[0][1], all_), "Ljava/lang/Object;" in each[0][1]))


def _all(context: Context, facts: tuple[int, ...]) -> int:
    """Return a fact that holds exactly when all do."""
    result = TRUE
    for fact in facts:
        result = context.both(result, fact)
    return result


@rule("H3", JVM, "a constructor needs a constructor of the superclass to call")
def h3(context: Context, one: ClassItems) -> None:
    """[C.<init>] and [C<S] => OR of S's accessible constructors: gives the stub something to call."""
    for edge, part in one.of(PartKind.SUPERCLASS):
        found = super_constructors(context.hierarchy, one.name, part.target)
        choices = [_all(context, facts) for _, facts in found]
        for constructor, _, _ in one.constructors:
            context.need_one([constructor, edge], choices)


@rule("H3n", SRC, "source can tell which constructor of the superclass a stub calls")
def h3_null(context: Context, one: ClassItems) -> None:
    """[C.<init>] and [C<S] and both [S.<init>] => [C.<init>!code], or OR of the constructors of S that source can tell
    from all others by default values, or one of the two takes subtypes of the other's parameters."""
    for edge, part in one.of(PartKind.SUPERCLASS):
        above = super_constructors(context.hierarchy, one.name, part.target)
        found = [(member[1], _all(context, facts)) for member, facts in above]
        every = [constructor for constructor, _ in found]
        clear = [fact for constructor, fact in found if told_apart(constructor, every)]
        for (left, first), (right, second) in combinations(found, 2):
            if told_apart(left, (right,)):
                continue
            wins = [*_nearer(context, left, right), *_nearer(context, right, left)]
            choices = [*clear, *(_all(context, facts) for facts in wins)]
            for constructor, member, _ in one.constructors:
                code = context.variables.code[one.name, member]
                context.need_one([constructor, edge, first, second], [code, *choices])


def _nearer(context: Context, constructor: str, other: str) -> list[tuple[int, ...]]:
    """Return the facts with which the parameters of one constructor are subtypes of those of another; none if they
    never are."""
    facts: list[int] = []
    for sub, sup in zip(method_types(constructor)[0], method_types(other)[0], strict=True):
        if sub == sup or sup == _OBJECT_TYPE:
            continue
        if sub[0] == "[" or sup[0] == "[" or sup[1:-1] not in context.above(sub[1:-1]):
            return []
        facts.append(context.subtype(sub[1:-1], sup[1:-1]))
    return [tuple(facts)]


@rule("H4", SRC, "without constructors a class gets a default one, which calls the superclass's")
def h4(context: Context, one: ClassItems) -> None:
    """[C<S] => OR of C's constructors, or S.<init>()V."""
    for edge, part in one.of(PartKind.SUPERCLASS):
        own = [variable for variable, _, _ in one.constructors]
        above = dict(super_constructors(context.hierarchy, one.name, part.target))
        if ("<init>", "()V") in above:
            own.append(_all(context, above["<init>", "()V"]))
        context.need_one([edge], own)


@rule("H5", JVM, "two inherited default methods clash unless the class has its own")
def h5(context: Context, one: ClassItems) -> None:
    """[C] and both defaults reached => some declaration that overrides both."""
    if not one.is_interface:
        no_clashes(context, one.name, one.fact)


def no_clashes(context: Context, name: str, premise: int, only: Member | None = None) -> None:
    """While ``premise`` holds, no two default methods (of the member ``only``, if given) clash in the class ``name``,
    in a lambda of its type, or for a super call that names it."""
    defaults: dict[Member, list[str]] = {}
    for above in context.sorted_above(name):
        info = context.info(above)
        if info is not None and info.access & INTERFACE:
            for member, access in info.methods.items():
                if not access & (ABSTRACT | STATIC | PRIVATE) and only in (None, member):
                    defaults.setdefault(member, []).append(above)
    for member, owners in defaults.items():
        for left, right in combinations(owners, 2):
            ours = left in context.classes or right in context.classes
            # of two interfaces of libraries the lower one overrides the other for good
            if ours or not (left in context.above(right) or right in context.above(left)):
                _clash(context, name, premise, member, left, right)


def _clash(context: Context, name: str, premise: int, member: Member, left: str, right: str) -> None:
    both = [premise]
    for owner in (left, right):
        both.append(context.method_fact(owner, member))
        both.append(context.subtype(name, owner))
    winners = []
    for below, above in ((left, right), (right, left)):
        if above in context.above(below):  # one overrides the other while it is below it
            winners.append(context.subtype(below, above))
    for declaration in context.lookup_method(name, member):
        owner = declaration.owner
        if owner in (left, right, OBJECT):
            continue
        info = context.info(owner)
        fact = context.reached(name, declaration, member)
        if info is None or not info.access & INTERFACE:
            winners.append(fact)
        elif left in context.above(owner) and right in context.above(owner):
            overrides = (fact, context.subtype(owner, left), context.subtype(owner, right))
            winners.append(_all(context, overrides))
    context.need_one(both, winners)
