"""M: methods, and the obligation to implement abstract ones."""

from __future__ import annotations

from collections.abc import Iterator

from core.classfile.flags import ABSTRACT, INTERFACE, PRIVATE, PUBLIC, STATIC
from core.classfile.symbolic.part_kinds import PartKind
from core.model.formula import TRUE
from core.model.lookup import ANNOTATION_TYPE, ANY, OBJECT, Declaration, Member
from core.model.rules.annotation_types import annotation_demands, element_demands
from core.model.rules.base import JVM, SRC, names_its_class, rule
from core.model.rules.class_items import ClassItems
from core.model.rules.context import Context, one_declared

_THROWABLE = "java/lang/Throwable"


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
    """[P] and S(P,D) and [D.m] => IMPL(P,m), for each concrete class P and each abstract D.m above it. An unknown class
    D may declare each method of P abstract: [P] and S(P,D) => IMPL(P,m)."""
    if one.is_concrete:
        implements_all(context, one.name, one.fact)


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
    """Return the methods that a class has from classes of the input, but for abstract, static and private ones."""
    found: dict[Member, None] = {}
    for owner in context.sorted_above(name):
        one = context.classes.get(owner)
        for member, access in one.facts.methods.items() if one is not None else ():
            if not access & (ABSTRACT | STATIC | PRIVATE) and not member[0].startswith("<"):
                found[member] = None
    return tuple(found)


def _implemented(context: Context, name: str, owner: str, member: Member, premises: list[int]) -> None:
    """Demand an implementation of ``owner.member`` in ``name``: a nearer class, or for an interface's method a default
    of an interface that ``owner`` does not itself override (JVMS 5.4.6). Of an ``owner`` that is nowhere a superclass
    may declare Object's methods abstract."""
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
    for demand in one_declared(choices, lambda one: context.reached(name, one, member)):
        context.add(premises, demand)


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
    for there, (name, descriptor), _, chain in _beside_less_public(context, one):
        key = name, descriptor[: descriptor.index(")") + 1]
        nearer: list[int] = []
        for above in chain:
            for member in context.same_parameters(above, *key):
                reached = context.reached(one.name, Declaration(above, 0), member)
                if key not in context.less_public(above):
                    nearer.append(reached)
                else:
                    context.need_one([*there, reached], nearer)


def _beside_less_public(context: Context, one: ClassItems) -> Iterator[tuple[list[int], Member, int, tuple[str, ...]]]:
    """Yield the methods of interfaces above a class for which a superclass has a non-public one with the same
    parameters: the facts that give them to the class, the name, the access, and the class with all its superclasses."""
    if one.is_interface:
        return
    chain = tuple(context.superclasses(one.name))
    guarded = {key for name in chain for key in context.less_public(name)}
    for owner in context.sorted_above(one.name):
        info = context.info(owner)
        for (name, descriptor), access in info.methods.items() if info is not None and info.access & INTERFACE else ():
            key = name, descriptor[: descriptor.index(")") + 1]
            if key in guarded and not access & (STATIC | PRIVATE):
                there = [one.fact, *context.inherited(one.name, owner, (name, descriptor))]
                yield there, (name, descriptor), access, chain


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
