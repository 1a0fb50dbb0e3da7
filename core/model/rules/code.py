"""K: needs of the code of a method. ``c`` is the code item of the method at hand."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from core.classfile.descriptors import class_names
from core.classfile.flags import ENUM, FINAL, INTERFACE, PROTECTED
from core.classfile.symbolic.part_kinds import PartKind
from core.code.types.code_facts import CodeFacts, FieldUse, MethodUse
from core.code.types.symbols import SUPER_INIT
from core.model.lookup import ANY, OBJECT, Member
from core.model.rules.base import JVM, SRC, rule
from core.model.rules.class_attributes import implementation, need_fit, need_handle
from core.model.rules.class_items import ClassItems
from core.model.rules.context import Context, Demands
from core.model.rules.methods import implements_all, no_clashes

POLYMORPHIC = frozenset(("java/lang/invoke/MethodHandle", "java/lang/invoke/VarHandle"))
"""Classes with signature polymorphic methods; the others that they have name no class of an input."""

Use = TypeVar("Use")


def _each(
    context: Context,
    one: ClassItems,
    uses_of: Callable[[CodeFacts], Iterable[Use]],
    demands: Callable[[Use], Demands],
) -> None:
    """Add for each body the demands of each of its uses; a use in several bodies is looked up once."""
    known: dict[Use, Demands] = {}
    need = context.need
    for code, _, facts in one.codes:
        for use in uses_of(facts):
            found = known.get(use)
            if found is None:
                found = known[use] = demands(use)
            if found:
                need(code, found)


@rule("K1", JVM, "code needs the classes it names")
def k1(context: Context, one: ClassItems) -> None:
    """Every class name in an instruction or a handler: NAME. One in a frame is Object if it is not kept. At ``jvm`` it
    is needed, as is each of two classes merged in a variable or on the stack without a frame."""
    _each(context, one, lambda facts: facts.classes, lambda name: context.name(one.name, name))
    if not context.erases:
        _each(context, one, lambda facts: facts.framed + facts.met, lambda name: context.name(one.name, name))
        return
    for code, _, facts in one.codes:
        context.need_rows(code, one.name, facts.framed)


@rule("K2", JVM, "code needs the fields it reads and writes")
def k2(context: Context, one: ClassItems) -> None:
    """get/put field: FIELD, of the right kind (static or not)."""

    def demands(use: FieldUse) -> Demands:
        kind, owner, name, descriptor = use
        static = kind.endswith("static")
        found = context.name(one.name, owner) + context.declared_outside(one.name, owner, (name, descriptor))
        found = found + context.told_of(one.name, descriptor)
        return found + context.field(one.name, owner, (name, descriptor), static)

    _each(context, one, lambda facts: facts.fields, demands)


@rule("K3", JVM, "code needs the methods it calls")
def k3(context: Context, one: ClassItems) -> None:
    """invokevirtual, -interface, -static: METHOD; invokespecial: constructors and private methods exactly, ``super.m``
    as METHOD with a body (any, if none has one), and of an interface only of a direct one without clashes of defaults.
    A signature polymorphic method (JVMS 2.9.3): the classes of the descriptor too, which resolution loads. A
    superclass's constructor, called on the object itself: while C<S, since without it is Object's."""
    superclass = one.superclass

    def demands(use: MethodUse) -> Demands:
        kind, owner, name, descriptor, owner_is_interface = use
        member: Member = (name, descriptor)
        found = context.name(one.name, owner) + context.declared_outside(one.name, owner, member)
        found = found + context.told_of(one.name, descriptor)
        if owner in POLYMORPHIC:
            found = found + context.names(one.name, class_names(descriptor))
        if name == "<init>" or context.is_private(owner, member):
            return found + context.exact(one.name, owner, member)
        special = kind == "special"
        # javac's bridges in nested classes call a ``super.m`` that is abstract: it resolves nevertheless
        concrete = special and bool(context.lookup_method(owner, member, False, True))
        found = found + context.method(one.name, owner, member, kind == "static", concrete=concrete)
        edge = context.variables.interfaces.get((one.name, owner))
        if special and owner_is_interface and edge is not None:
            found.append((edge,))
        return found

    def own(facts: CodeFacts) -> Iterable[MethodUse]:
        if superclass is None or not facts.super_calls:
            return facts.methods
        relieved = {use for use, _ in facts.super_calls}
        return [use for use in facts.methods if use not in relieved]

    _each(context, one, own, demands)
    for code, _, facts in one.codes:
        if superclass is not None:
            for demand in [demand for use, _ in facts.super_calls for demand in demands(use)]:
                context.add([code, superclass], demand)
        for kind, owner, name, descriptor, owner_is_interface in facts.methods:
            if kind == "special" and owner_is_interface and owner != one.name and context.depends_on_input(owner):
                no_clashes(context, owner, code, (name, descriptor))


@rule("K4", JVM, "code that uses a protected member of another package stays below the class that declares it")
def k4(context: Context, one: ClassItems) -> None:
    """A protected member of another package: the receivers are of o's kind. That o is below the declaring class,
    the look-ups of K2, K3 and A2 see to."""
    known: dict[FieldUse | MethodUse, bool] = {}
    for code, _, facts in one.codes:
        for use, receiver in facts.receivers:
            is_guarded = known.get(use)
            if is_guarded is None:
                is_guarded = known[use] = _is_guarded(context, one.name, use)
            if is_guarded and one.name in context.above(receiver):
                context.need_subtype(code, receiver, one.name)


def _is_guarded(context: Context, origin: str, use: FieldUse | MethodUse) -> bool:
    """Return True if a member is protected, and in another package."""
    _, owner, name, descriptor, *_ = use
    if owner == origin or owner.startswith("["):
        return False
    found = context.nearest(owner, (name, descriptor))
    if found is None or found.access == ANY or not found.access & PROTECTED:
        return False
    return not context.same_package(origin, found.owner)


@rule("K5", JVM, "an invokedynamic or dynamic constant needs its bootstrap entry")
def k5(context: Context, one: ClassItems) -> None:
    """The entry; the classes of the descriptor; captured values fit the lambda's implementation. Method handles and
    types loaded by ``ldc``: their members and classes."""
    for code, _, uses in one.codes:
        for handle in uses.method_handles:
            need_handle(context, code, one.name, handle)
        for descriptor in uses.method_types:
            context.need_descriptor(code, one.name, descriptor)
        for site in uses.call_sites:
            entry = one.part(PartKind.BOOTSTRAP, site[1])
            if entry is not None:
                context.edge(code, entry)
            context.need_descriptor(code, one.name, site[3])
            for made in one.lambdas([site]):
                wanted, _ = implementation(made.maker.handles[0])
                for mine, theirs in zip(made.captured, wanted, strict=False):
                    need_fit(context, code, mine, theirs)


@rule("M4", JVM, "what a lambda implements keeps its abstract method, and no other")
def m4(context: Context, one: ClassItems) -> None:
    """The interface of a lambda keeps its single abstract method: METHOD(I.sam). A lambda is a concrete class: what
    else is abstract above its interfaces is implemented there (M3), and no defaults clash (H5)."""
    for code, _, uses in one.codes:
        for interface, name, _, maker in one.lambdas(uses.call_sites):
            context.need(code, context.method(one.name, interface, (name, maker.types[0]), False))
            done = frozenset((name, type_) for type_ in (maker.types[0], *maker.types[2:]))
            for type_ in (interface, *maker.classes):
                if context.depends_on_input(type_):
                    implements_all(context, type_, code, done)
                    no_clashes(context, type_, code)


@rule("K6", JVM, "types on the stack stay subtypes of what is expected")
def k6(context: Context, one: ClassItems) -> None:
    """SUBTYPE at branches, arguments, receivers, stores, returns, throws: S(s, T) for each possible s, while T is kept
    and not Object.

    A pair that does not hold in the full input comes from a frame with a too general merged type. Then the true sets of
    types are asked for (scala-library has seven such places).
    """
    for code, part in one.of(PartKind.CODE):
        subtypes = one.facts.code[part.element].subtypes
        if any(source in context.classes and target not in context.above(source) for source, target, _ in subtypes):
            subtypes = context.refine(one.name, part.element).subtypes
        orphaned = one.superclass is not None and one.facts.code[part.element].super_calls
        for source, target, reason in subtypes:
            if reason == SUPER_INIT and orphaned:
                continue  # without the superclass, Object's constructor is called
            if source in context.classes:
                premises = (code, context.class_fact(target)) if context.erases else (code,)
                context.need_one(premises, [context.subtype(source, target)])


@rule("K17", SRC, "arguments of the superclass's constructor that source would not leave out keep the superclass")
def k17(context: Context, one: ClassItems) -> None:
    """c calls the superclass's constructor with more than constants and local variables, or in a local class with any
    arguments, since the creator of an object hands them on => [C<S]."""
    edge = one.superclass
    if edge is None:
        return
    for code, _, facts in one.codes:
        for (_, _, _, descriptor, _), is_plain in facts.super_calls:
            if not is_plain or (one.facts.enclosing is not None and not descriptor.startswith("()")):
                context.edge(code, edge)


@rule("K8", SRC, "a cast stays possible")
def k8(context: Context, one: ClassItems) -> None:
    """checkcast and instanceof s to T, and ``==`` of the two, both classes: S(s,T) or S(T,s); T an interface and s
    final: S(s,T); s an interface, T final and [s]: S(T,s). An enum is final once no constant has a body."""
    for code, _, uses in one.codes:
        for source, target in uses.casts:
            from_, to = context.info(source), context.info(target)
            if from_ is None or to is None or OBJECT in (source, target):
                continue
            if to.access & INTERFACE or from_.access & INTERFACE:
                if to.access & INTERFACE and from_.access & (FINAL | ENUM) and target in context.above(source):
                    context.need_subtype(code, source, target)
                if from_.access & INTERFACE and to.access & (FINAL | ENUM) and source in context.above(target):
                    there = [code, context.class_fact(source)]
                    context.need_one(there, [context.subtype(target, source)])
            elif target in context.above(source):
                context.need_subtype(code, source, target)
            elif source in context.above(target):
                context.need_subtype(code, target, source)


@rule("K9", SRC, "a class literal keeps the supertypes it may be used by")
def k9(context: Context, one: ClassItems) -> None:
    """``ldc`` of class X: every supertype of X in the input, and each supertype of a library with an ``ldc`` of its own
    (one argument sets ``Class<T>``, the bound of another, ``Class<? extends T>``); an enum or annotation type stays
    one."""
    for code, _, uses in one.codes:
        for name in uses.class_constants:
            context.edge(code, context.nature(name))
            for above in sorted(context.above(name)) if name in context.classes else ():
                if above in context.classes or above in uses.class_constants:
                    context.need_subtype(code, name, above)
