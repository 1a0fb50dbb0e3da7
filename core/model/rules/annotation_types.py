"""C1: annotations."""

from __future__ import annotations

from collections.abc import Iterator

from core.classfile.annotations import AnnotationUse
from core.classfile.descriptors import class_names
from core.classfile.flags import ENUM, STATIC
from core.classfile.generic_use import GenericUse
from core.classfile.symbolic.part_kinds import PartKind
from core.model.lookup import ANNOTATION_TYPE, Member
from core.model.reading.facts import WHOLE_CLASS
from core.model.rules.base import JVM, LINKED, SRC, rule
from core.model.rules.class_items import CLASS_INITIALISER, ClassItems, members_of
from core.model.rules.context import Context, Demands

_REPEATABLE = "Ljava/lang/annotation/Repeatable;"
_META = frozenset(f"Ljava/lang/annotation/{name};" for name in ("Documented", "Inherited", "Retention", "Target"))
"""Meta-annotations that javac compares between a repeatable annotation type and its container."""


@rule("C1", JVM, "an annotation needs its type, the elements it sets and what they name")
def c1(context: Context, one: ClassItems) -> None:
    """[C[@A]] => [A], still an annotation type; the annotation methods set in it, with the types of their values; the
    named enum constants (of a class still an enum) and classes.

    If annotations are no items, one is written as long as its target and its type are kept.
    """
    for _, premises, use, is_item in _written(context, one):
        names = class_names(use.type)
        demands: Demands = [(context.nature(name),) for name in names]
        demands += annotation_demands(context, one, use)
        if is_item:
            demands += context.names(one.name, names)
        for demand in demands:
            context.add(premises, demand)


def _written(context: Context, one: ClassItems) -> Iterator[tuple[tuple[str, int], list[int], AnnotationUse, bool]]:
    """Yield the annotations of a class and its parts: the owner, the facts while which one is written, the annotation,
    and whether it is an item."""
    for owner, item, use in one.annotations:
        there = one.owners.get(owner)
        if item is not None:
            yield owner, [item], use, True
        elif there is not None:
            yield owner, [there, *map(context.class_fact, class_names(use.type))], use, False


def annotation_demands(context: Context, one: ClassItems, use: AnnotationUse) -> Demands:
    """Return the demands of an annotation: its elements with a value, and the named constants."""
    found: Demands = []
    for descriptor, name in use.elements:
        for owner in class_names(descriptor):
            if owner in context.classes:
                for member in context.classes[owner].facts.methods:
                    if member[0] == name:
                        found += context.exact(one.name, owner, member) + element_demands(context, one, member)
    for descriptor, name in use.constants:
        for owner in class_names(descriptor):
            found += context.names(one.name, [owner]) + context.field(one.name, owner, (name, descriptor), True)
            found.append((context.nature(owner),))
    texts = [text for text in use.classes if text != "V"]
    return found + context.names(one.name, [name for text in texts for name in class_names(text)])


def element_demands(context: Context, one: ClassItems, element: Member) -> Demands:
    """Return the enum or annotation type of an annotation's element, still one. An empty array of them names none."""
    names = class_names(element[1])
    return context.names(one.name, names) + [(context.nature(name),) for name in names]


@rule("C1e", LINKED, "an enum of which an annotation names a constant keeps the code that makes its constants")
def c1_enum(context: Context, one: ClassItems) -> None:
    """[C[@A]] with a constant of the enum E, or a default of [A.x] and [A<Annotation] => the code of E.values() and of
    E's <clinit>, and of E's methods that <clinit> calls for constants or their array ($values): reflection asks
    values() for the constant."""
    written = [(premises, use) for _, premises, use, _ in _written(context, one)]
    edge = context.variables.interfaces[one.name, ANNOTATION_TYPE]
    for number, default in one.facts.defaults.items():
        method = context.method_fact(one.name, one.facts.method_list[number][0])
        written.append(([method, edge], default))
    for premises, use in written:
        for name in dict.fromkeys(name for descriptor, _ in use.constants for name in class_names(descriptor)):
            if name in context.classes and context.classes[name].facts.access & ENUM:
                for fact in _makes_constants(context, context.classes[name]):
                    context.add(premises, (fact,))


@rule("C1p", LINKED, "an annotated constructor with parameters that source leaves out keeps what tells of these")
def c1_parameters(context: Context, one: ClassItems) -> None:
    """[C.<init>[@A]] => [C[inner C]] of a non-static member class, [C[enclosed]] of a local class (the enclosing class
    if that is no item), [C<Enum] of an enum: else reflection finds fewer lists of annotations than parameters."""
    facts, own = one.facts, one.facts.inner_access
    reasons = [context.nature(one.name)]
    if facts.enclosing is not None:
        items = [item for item, _ in one.of(PartKind.ENCLOSING)]
        reasons += items or [context.class_fact(facts.enclosing[0])]
    elif own is not None and not own & STATIC:
        reasons.append(context.row(one.name, one.name))
    constructors = {number for number, (member, _) in enumerate(facts.method_list) if member[0] == "<init>"}
    for owner, premises, _, _ in _written(context, one):
        if owner[0] == "method" and owner[1] in constructors:
            for reason in reasons:
                context.add(premises, (reason,))


def _makes_constants(context: Context, enum: ClassItems) -> list[int]:
    """Return the bodies without which values() does not give an enum's constants."""
    array = f"[L{enum.name};"
    called = members_of(enum.initialiser)
    results = tuple(f"){result}" for result in (array, array[1:]))
    makers = [member for owner, member in sorted(called) if owner == enum.name and member[1].endswith(results)]
    members = [("values", f"(){array}"), CLASS_INITIALISER, *makers]
    return [context.variables.code[enum.name, member] for member in members]


@rule("C1b", SRC, "a class that an annotation sets stays within the bound of the element")
def c1_bounds(context: Context, one: ClassItems) -> None:
    """[C[@A]], or a default of [A.x], with a class literal V, and [A.x[sig]] with a type argument X above V, while X is
    kept => S(V,X). If X has type arguments there, also the Signatures between the two that tell them. Of a library's
    annotation the Signature of its element is always there."""
    for owner, item, use in one.annotations:
        premise = one.owners.get(owner) if item is None else item
        literals = _literals(context, use)
        if premise is not None:
            for descriptor, element in use.elements:
                _within_element(context, [premise], descriptor[1:-1], element, literals)
    for number, default in one.facts.defaults.items():
        member = one.facts.method_list[number][0]
        there = [context.method_fact(one.name, member), context.nature(one.name)]
        _within_element(context, there, one.name, member[0], _literals(context, default))


def _literals(context: Context, use: AnnotationUse) -> list[str]:
    """Return the classes of the input of which an annotation has a literal."""
    return sorted({text.lstrip("[")[1:-1] for text in use.classes} & context.classes.keys())


def _within_element(context: Context, premises: list[int], type_: str, element: str, literals: list[str]) -> None:
    """C1b's clauses of the values that an annotation, or a default, sets."""
    if not literals:
        return
    for member, said in _elements(context, type_):
        signature = context.signatures.of_member[type_, member]
        for value in literals if member[0] == element else ():
            _within_bounds(context, [*premises, signature], value, said)


def _elements(context: Context, type_: str) -> Iterator[tuple[Member, GenericUse]]:
    """Yield the elements of an annotation type, of the input or a library, of which a Signature tells more."""
    one = context.classes.get(type_)
    if one is not None:
        for number, (member, _) in enumerate(one.facts.method_list):
            if ("method", number) in one.facts.generic:
                yield member, one.facts.generic["method", number]
        return
    info = context.info(type_)
    for member in info.methods if info is not None else ():
        said = context.signatures.outside(type_, member)
        if said is not None:
            yield member, said


def _within_bounds(context: Context, premises: list[int], value: str, said: GenericUse) -> None:
    """C1b's clauses of one class literal."""
    for bound in said.arguments:
        if bound == value or bound not in context.above(value):
            continue
        there = [*premises, context.class_fact(bound)]
        context.need_one(there, [context.subtype(value, bound)])
        for between in context.sorted_above(value) if bound in said.applied else ():
            if bound in context.above(between):
                below = context.subtype(value, between)
                context.add([*there, below], [context.signatures.of_class[between]])


@rule("C1r", SRC, "an annotation type that can be repeated keeps the one that holds several of its annotations")
def c1_repeated(context: Context, one: ClassItems) -> None:
    """[A[@Repeatable(X)]] => [X.value:()[LA;]; and, of @Retention, @Target, @Documented and @Inherited, with [A[@M]] =>
    [X[@M]], where both have it."""
    for use in one.facts.annotations.get(WHOLE_CLASS, ()):
        name = use.classes[0][1:-1] if use.type == _REPEATABLE and use.classes else ""
        if name in context.classes:
            mine, theirs = _of_class(one), _of_class(context.classes[name])
            mark = mine.get(_REPEATABLE, one.fact)
            context.edge(mark, context.method_fact(name, ("value", f"()[L{one.name};")))
            for meta in sorted(_META & mine.keys() & theirs.keys()):
                context.add([mark, mine[meta]], [theirs[meta]])


def _of_class(one: ClassItems) -> dict[str, int]:
    """Return the items of the annotations of a class, by their types."""
    return {use.type: item for owner, item, use in one.annotations if owner == WHOLE_CLASS and item is not None}
