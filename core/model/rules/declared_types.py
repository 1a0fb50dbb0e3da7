"""F1, M1: the types of fields and methods.

At granularity ``full`` descriptors and frames have Object in the place of a class that is not kept. Code with a value
of such a class needs the class for most uses of the value (rules K2, K3, K6). The rules here are about the name itself.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import chain, pairwise, permutations, product

from core.classfile.descriptors import class_names, method_types
from core.classfile.flags import ANNOTATION, STATIC, SYNTHETIC
from core.classfile.symbolic.part_kinds import PartKind
from core.model.lookup import Member
from core.model.rules.base import LINKED, SRC, rule
from core.model.rules.class_items import ClassItems
from core.model.rules.context import Context

_Found = tuple[str, Member]
"""A class and a member that it declares."""


@rule("F1", LINKED, "a field needs the class of its type, or has the type Object")
def f1(context: Context, one: ClassItems) -> None:
    """[C.f] => the classes of its descriptor. At ``full`` only if Object would make it another field: [C.f] and [D.f],
    with D at or above C and a type that differs in classes of the input => these classes. For D outside the input,
    [C.f] alone => them. For source, members made by the compiler keep their types. Source has the rows of kept classes.
    """
    for variable, part in one.of(PartKind.FIELD):
        _need_types(context, one, variable, one.facts.field_list[part.element])
    _keep_apart(context, one, context.variables.fields, methods=False)


@rule("M1", LINKED, "a method needs the classes of its parameters and result, or has Object there")
def m1(context: Context, one: ClassItems) -> None:
    """[C.m] => the classes of its descriptor. At ``full`` only if Object would make it another method: [C.m] and [D.m],
    with D at or above C and types that differ in classes of the input => these classes. For D outside the input, [C.m]
    alone => them. Methods of annotation types keep theirs, and for source also methods made by the compiler. Source has
    the rows of kept classes."""
    for variable, number, _, _ in one.method_items:
        _need_types(context, one, variable, one.facts.method_list[number], kept=one.facts.access & ANNOTATION)
    _keep_apart(context, one, context.variables.methods, methods=True)


def _need_types(
    context: Context, one: ClassItems, variable: int, declared: tuple[Member, int], *, kept: int = 0
) -> None:
    """Add the need of a member for the classes of its descriptor; unless ``kept``, only where they cannot become
    Object."""
    (_, descriptor), access = declared
    if not context.erases or kept or (access & SYNTHETIC and context.source):
        context.need_descriptor(variable, one.name, descriptor)
    else:
        context.need_rows(variable, one.name, class_names(descriptor))


def _keep_apart(context: Context, one: ClassItems, variables: Mapping[_Found, int], *, methods: bool) -> None:
    """The members of a class and of those above it that would be equal with Object in the place of classes."""
    if not context.erases:
        return
    classes = context.classes
    above = context.sorted_above(one.name)
    # what stands above one direct supertype is looked at there; an unknown class may declare anything
    parents = [context.above(parent) for parent, _ in context.parents(one.name) if parent in classes]
    elsewhere = max(parents, key=len, default=()) if not context.unknown_above(one.name) else ()
    wanted = frozenset().union(*(context.shapes(owner, methods=methods) for owner in above if owner not in elsewhere))
    shapes: defaultdict[Member, list[_Found]] = defaultdict(list)
    for owner in above:
        if owner in classes:
            for shape, member in context.erasable(owner, methods=methods):
                if shape in wanted:
                    shapes[shape].append((owner, member))
    if not shapes:
        return
    named = {*shapes, *(member for found in shapes.values() for _, member in found)}
    for owner in above:
        info = context.info(owner)
        if info is None or owner not in classes:
            there = context.members(owner, methods=methods)
            if info is not None and named.isdisjoint(there):
                continue
            for shape, found in shapes.items():
                for declared, member in found:
                    if shape[0] != "<init>" and (info is None or shape in there or member in there):
                        names = context.names(declared, class_names(member[1]))
                        context.need(variables[declared, member], names)
            continue
        for shape in context.members(owner, methods=methods) & shapes.keys():
            shapes[shape].append((owner, shape))
    for shape, found in shapes.items():
        alike = [each for each in found if each[0] == one.name] if shape[0] == "<init>" else found
        _types_apart(context, [(owner not in elsewhere, member, variables[owner, member]) for owner, member in alike])


def _types_apart(context: Context, found: Sequence[tuple[bool, Member, int]]) -> None:
    """Keep the members of one shape that are looked at here, marked by True, apart from all others.

    Clauses for pairs would be many: a visitor has a hundred overloads, and inherits a hundred. So a member and the fact
    that there is one with an earlier type at the same place tell that there are several, which keeps their classes.
    """
    if len({member for _, member, _ in found}) < 2 or not any(is_own for is_own, _, _ in found):
        return
    for place in zip(*(_types(member[1]) for _, member, _ in found), strict=True):
        if len({*place}) < 2:
            continue
        groups: dict[str, list[tuple[bool, int]]] = {}
        for type_, (is_own, _, variable) in zip(place, found, strict=True):
            groups.setdefault(type_, []).append((is_own, variable))
        needs = {type_: [context.class_fact(one) for one in class_names(type_)] for type_ in groups}
        several = [context.fact()] if len(groups) > 2 else [*chain.from_iterable(needs.values())]
        members: list[int] = []
        own: list[int] = []
        for earlier, group in pairwise(groups.values()):
            members = [context.either((*members, *(variable for _, variable in earlier)))]
            mine = [*own, *(variable for is_own, variable in earlier if is_own)]
            own = [context.either(mine)] if mine else []
            for is_own, variable in group:
                for before, after in product(members if is_own else own, several):
                    context.add([variable, before], [after])
        for type_, group in groups.items() if len(groups) > 2 else ():
            for (_, variable), needed in product(group, needs[type_]):
                context.add([variable, *several], [needed])


def _types(descriptor: str) -> tuple[str, ...]:
    if not descriptor.startswith("("):
        return (descriptor,)
    parameters, result = method_types(descriptor)
    return (*parameters, result) if result != "V" else (*parameters, "I")


_INITIALISER: Member = ("<clinit>", "()V")


@rule("F2", SRC, "an interface's field needs the code that sets it")
def f2(context: Context, one: ClassItems) -> None:
    """Interface field without ConstantValue: [C.f] => [<clinit>!code]."""
    code = context.variables.code.get((one.name, _INITIALISER))
    if one.is_interface and code is not None:
        for variable, part in one.of(PartKind.FIELD):
            if one.facts.field_list[part.element][0] not in one.facts.constants:
                context.edge(variable, code)


@rule("F3", SRC, "a final field needs the code that sets it")
def f3(context: Context, one: ClassItems) -> None:
    """Static: [final] => [<clinit>!code]. Instance: [final] and [k] => [k!code] for each constructor k,
    and [final] => OR of the constructors. An instance field with ConstantValue: [final] and [k!code] and [j] =>
    [j!code] for constructors k and j: source sets the field at its declaration, so in all constructors or in none."""
    initialiser = context.variables.code.get((one.name, _INITIALISER))
    constructors = one.constructors
    for variable, part in one.of(PartKind.FINAL):
        member, access = one.facts.field_list[part.element]
        if access & STATIC:
            if member not in one.facts.constants and initialiser is not None:
                context.edge(variable, initialiser)
            continue
        bodies = [(constructor, context.variables.code.get((one.name, name))) for constructor, name, _ in constructors]
        if member in one.facts.constants:
            for (_, setting), (constructor, code) in permutations(bodies, 2):
                if setting is not None and code is not None:
                    context.add([variable, setting, constructor], [code])
            continue
        for constructor, code in bodies:
            if code is not None:
                context.add([variable, constructor], [code])
        context.need_one([variable], [constructor for constructor, _, _ in constructors])
