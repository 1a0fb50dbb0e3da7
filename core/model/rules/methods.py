"""M, H: methods, the obligation to implement abstract ones; superclasses and interfaces."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations

from core.classfile.descriptors import class_names, method_types, told_apart_by
from core.classfile.flags import ABSTRACT, INTERFACE, PRIVATE, PROTECTED, PUBLIC, STATIC
from core.classfile.symbolic.part_kinds import PartKind
from core.model.formula import TRUE
from core.model.hierarchy import Hierarchy
from core.model.lookup import ANNOTATION_TYPE, ANY, OBJECT, Declaration, Member
from core.model.rules.annotation_types import annotation_demands, element_demands
from core.model.rules.base import JVM, SRC, names_its_class, rule
from core.model.rules.class_items import ClassItems
from core.model.rules.context import Context, one_declared
from core.parts.code_part import told_apart

_THROWABLE = "java/lang/Throwable"

_User = tuple[ClassItems, bool]
"""A class that needs implementations of some interface's methods, and True if it may be below that by several ways."""


rule("M2", JVM, "a throws clause needs its exception")(names_its_class(PartKind.THROWS))


@rule("M2s", SRC, "what a method throws must stay an exception")
def m2_source(context: Context, one: ClassItems) -> None:
    """[C.m[throws E]] => S(E, Throwable); without such an item, [C.m] and [E] => S(E, Throwable)."""
    for variable, _, member, _ in one.method_items:
        for number, exception in one.thrown(member):
            written = [number] if number is not None else [variable, context.class_fact(exception)]
            context.need_one(written, [context.subtype(exception, _THROWABLE)])


@rule("M3", JVM, "a class that is not abstract implements every abstract method above it")
def m3(context: Context, one: ClassItems) -> None:
    """S(P,D) and [D.m] => IMPL(P,m), for each concrete class P and each abstract D.m above it. An unknown class D may
    declare each method of P abstract: [P] and S(P,D) => IMPL(P,m).

    What P has from its superclasses alone is said at the highest one, C, for all such P: one of the S(P,D), and [D.m]
    => IMPL(C,m); and S(P,D) and one of the [D.m] => S(P,C), where P may be below D otherwise.
    """
    if context.unknown_above(one.name):
        if one.is_concrete:
            implements_all(context, one.name, one.fact)
    elif not one.is_interface:
        above = context.above(one.facts.superclass) if one.facts.superclass in context.classes else frozenset()
        for owner in context.sorted_above(one.name):
            asked = context.abstract_methods(owner)
            here = context.bodies(one.name).intersection(asked) if owner in above else frozenset(asked)
            users: dict[Member, list[_User]] = {}
            for user, otherwise, members in _users(context, one, owner, here):
                for member in members:
                    users.setdefault(member, []).append((user, otherwise))
            groups: dict[tuple[_User, ...], list[Member]] = {}
            for member in filter(users.__contains__, asked):
                groups.setdefault(tuple(users[member]), []).append(member)
            for together, group in groups.items():
                _implemented_for(context, one.name, owner, group, together)


def _users(
    context: Context, one: ClassItems, owner: str, members: frozenset[Member]
) -> Iterator[tuple[ClassItems, bool, frozenset[Member]]]:
    """Yield the concrete classes that have abstract methods ``members`` of ``owner`` implemented at the class ``one``
    or above it, each with True if it may be below ``owner`` otherwise, and with those of the methods. A class that has
    all of them from a concrete superclass is left out."""
    waiting = [(one, members, False, False)] if members else []
    while waiting:
        current, left, settled, otherwise = waiting.pop()
        if current is not one and owner in context.beside(current.name):
            settled, otherwise = False, True
        if current.is_concrete and not settled:
            yield current, otherwise, left
            settled = True
        for child in context.subclasses.get(current.name, ()):
            rest = left - context.bodies(child.name)
            if rest and child is not one:
                waiting.append((child, rest, settled, otherwise))


def _implemented_for(context: Context, name: str, owner: str, members: list[Member], users: Iterable[_User]) -> None:
    """Demand implementations of ``owner``'s ``members`` in the class ``name`` for all ``users``, see :func:`_users`."""
    below = {}
    for user, otherwise in users:
        fact = context.subtype(user.name, owner)
        below[user.fact if fact == TRUE else fact] = user, otherwise
    used = context.either(below)
    declared = {member: context.method_fact(owner, member) for member in members}
    there = [fact for member, fact in declared.items() if _implemented(context, name, owner, member, [used, fact])]
    loose = {fact: user for fact, (user, otherwise) in below.items() if otherwise and there}
    asked = context.either(there) if loose else TRUE
    for fact, user in loose.items():
        context.need_one([fact, asked], [context.subtype(user.name, name)])


def implements_all(context: Context, name: str, premise: int, done: frozenset[Member] = frozenset()) -> None:
    """While ``premise`` holds, everything abstract above ``name`` is implemented; ``done`` is already."""
    unknown = context.unknown_superclass(name)
    for owner in context.sorted_above(name):
        is_known = context.info(owner) is not None
        members = context.abstract_methods(owner) if is_known else _bodies(context, name)
        # the rest of what an unknown interface declares the unknown superclass may implement
        rest = None if is_known or unknown == owner else unknown
        if not members and rest is None:
            continue
        reached = context.subtype(name, owner)
        # an edge of a class implies the class
        first = reached if reached != TRUE and context.classes[name].fact == premise else premise
        for member in members:
            if member not in done:
                declared = context.method_fact(owner, member)
                _implemented(context, name, owner, member, [first, reached, declared])
        if rest is not None:
            context.need_one([first, reached], [context.subtype(name, rest)])


def _bodies(context: Context, name: str) -> tuple[Member, ...]:
    """Return the methods that a class has from classes of the input and that an unknown class may declare abstract.

    None names a class of the input, without which the unknown class was compiled.
    """
    inside, found = context.classes, dict[Member, None]()
    for owner in filter(inside.__contains__, context.sorted_above(name)):
        for member, access in inside[owner].facts.methods.items():
            inherited = not access & (ABSTRACT | STATIC | PRIVATE) and not member[0].startswith("<")
            if inherited and inside.keys().isdisjoint(class_names(member[1])):
                found[member] = None
    return tuple(found)


def _implemented(context: Context, name: str, owner: str, member: Member, premises: list[int]) -> bool:
    """Demand an implementation of ``owner.member`` in ``name``: a nearer class, or for an interface's method a default
    of an interface that ``owner`` does not itself override (JVMS 5.4.6). Of an ``owner`` that is nowhere a superclass
    may declare Object's methods abstract. Return True if there is anything to demand."""
    info = context.info(owner)
    from_class = info is not None and not info.access & INTERFACE
    from_interface = info is not None and not from_class
    overridden = context.above(owner)
    choices = []
    for declaration in context.lookup_method(name, member):
        if declaration.access != ANY and declaration.access & (ABSTRACT | STATIC | PRIVATE):
            continue
        found = context.info(declaration.owner)
        is_interface = found is not None and bool(found.access & INTERFACE)
        if from_interface and declaration.access != ANY and not declaration.access & PUBLIC:
            continue  # found, but refused: IllegalAccessError
        if is_interface and from_class:
            continue  # what a class declares abstract no default implements
        if declaration.owner in overridden and (is_interface or not from_interface):
            continue
        if declaration.owner == OBJECT and owner == context.unknown_superclass(name):
            continue
        choices.append(declaration)
    demands = one_declared(choices, lambda one: context.reached(name, one, member))
    for demand in demands:
        context.add(premises, demand)
    return bool(demands)


@rule("M3p", JVM, "what an interface implements, no method of a superclass hides that is less public")
def m3_public(context: Context, one: ClassItems) -> None:
    """S(P,I) and [I.m] with a body, S(P,S) and [S.m], which is not public => OR over the public D.m nearer to P of
    [D.m] and S(P,D), for each concrete class P: selection comes to S.m before I.m, and refuses it (JVMS 5.4.6)."""
    if not one.is_concrete:
        return
    for there, member, access, chain in _beside_less_public(context, one):
        if access & ABSTRACT:
            continue  # M3 demands an implementation
        nearer: list[int] = []
        for above in chain:
            info = context.info(above)
            declared = info.methods.get(member, PRIVATE) if info is not None else PRIVATE
            if not declared & (PRIVATE | STATIC):
                reached = context.reached(one.name, Declaration(above, 0), member)
                if declared & PUBLIC:
                    nearer.append(reached)
                else:
                    context.need_one([*there, reached], nearer)


@rule("M3s", SRC, "what an interface asks for, no method of a superclass stands for that is less public")
def m3_source(context: Context, one: ClassItems) -> None:
    """S(C,I) and [I.m], S(C,S) and a non-public [S.m] => OR over the public D.m nearer to C of [D.m] and S(C,D): else
    javac takes S.m as the implementation of I.m, in an abstract class too. Object's ``clone`` is such an S.m."""
    for there, asked, _, chain in _beside_less_public(context, one):
        key = told_apart_by(*asked)
        nearer: list[int] = []
        for above in chain:
            for member in context.by_parameters(above).get(key, ()):
                reached = context.reached(one.name, Declaration(above, 0), member)
                if key not in context.less_public(above):
                    nearer.append(reached)
                else:
                    context.need_one([*there, reached], nearer)


def _beside_less_public(context: Context, one: ClassItems) -> Iterator[tuple[list[int], Member, int, tuple[str, ...]]]:
    """Yield interface methods above a class for which a superclass has a non-public method with the same parameters. Of
    each: the facts that give the method to the class, its name, its access flags, and the class with all its
    superclasses."""
    if one.is_interface:
        return
    chain = tuple(context.superclasses(one.name))
    guarded = {key for name in chain for key in context.less_public(name)}
    for owner in context.sorted_above(one.name):
        info = context.info(owner)
        for member, access in info.methods.items() if info is not None and info.access & INTERFACE else ():
            if told_apart_by(*member) in guarded and not access & (STATIC | PRIVATE):
                yield [one.fact, *context.inherited(one.name, owner, member)], member, access, chain


@rule("M5", JVM, "an annotation method needs what its default names")
def m5(context: Context, one: ClassItems) -> None:
    """[A.x] with a default and [A<Annotation] => the classes and enum constants of the default value (not written
    without that edge), and the enum or annotation type of A.x, still one."""
    edge = context.variables.interfaces[one.name, ANNOTATION_TYPE]
    for variable, number, member, _ in one.method_items:
        default = one.facts.defaults.get(number)
        if default is not None:
            given = element_demands(context, one, member)
            for demand in annotation_demands(context, one, default) + given:
                context.add([variable, edge], demand)


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


@rule("H3", JVM, "a constructor needs a constructor of the superclass to call")
def h3(context: Context, one: ClassItems) -> None:
    """[C.<init>] and [C<S] => OR of S's accessible constructors: gives the stub something to call."""
    for edge, part in one.of(PartKind.SUPERCLASS):
        found = super_constructors(context.hierarchy, one.name, part.target)
        choices = [context.all(facts) for _, facts in found]
        for constructor, _, _ in one.constructors:
            context.need_one([constructor, edge], choices)


@rule("H3n", SRC, "source can tell which constructor of the superclass a stub calls")
def h3_null(context: Context, one: ClassItems) -> None:
    """[C.<init>] and [C<S] and both [S.<init>] => [C.<init>!code], or OR of the constructors of S that source can tell
    from all others by default values, or one of the two takes subtypes of the other's parameters."""
    for edge, part in one.of(PartKind.SUPERCLASS):
        above = super_constructors(context.hierarchy, one.name, part.target)
        found = [(member[1], context.all(facts)) for member, facts in above]
        every = [constructor for constructor, _ in found]
        clear = [fact for constructor, fact in found if told_apart(constructor, every)]
        for (left, first), (right, second) in combinations(found, 2):
            if told_apart(left, (right,)):
                continue
            wins = [*_nearer(context, left, right), *_nearer(context, right, left)]
            choices = [*clear, *(context.all(facts) for facts in wins)]
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
            own.append(context.all(above["<init>", "()V"]))
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
            winners.append(context.all(overrides))
    context.need_one(both, winners)
