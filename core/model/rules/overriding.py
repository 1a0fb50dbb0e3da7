"""M, continued: demands of source on overriding methods, and on thrown and caught exceptions."""

from __future__ import annotations

from collections.abc import Iterator

from core.classfile.descriptors import method_types, told_apart_by
from core.classfile.flags import ABSTRACT, BRIDGE, SYNTHETIC
from core.classfile.symbolic.part_kinds import PartKind
from core.library.skim import LibraryClass
from core.model.lookup import ANY, OBJECT, Member
from core.model.reading.facts import WHOLE_CLASS
from core.model.rules.base import SRC, rule
from core.model.rules.class_items import CLASS_INITIALISER, ClassItems, LambdaObject
from core.model.rules.context import Context
from core.model.rules.methods import implements_all, super_constructors

_DEFAULT = ("<init>", "()V")
_THROWABLE = "java/lang/Throwable"
_UNCHECKED = frozenset(("java/lang/RuntimeException", "java/lang/Error"))
_FUNCTIONAL = "Ljava/lang/FunctionalInterface;"
_CLOSEABLE, _ITERABLE = "java/lang/AutoCloseable", "java/lang/Iterable"
_OTHER_FACTORY, _SERIAL = "altMetafactory", "java/io/Serializable"


def overridden(context: Context, one: ClassItems, member: Member) -> Iterator[tuple[str, Member]]:
    """Yield the methods above of the same name and parameters: class and member."""
    key = told_apart_by(*member)
    for owner in context.sorted_above(one.name):
        others = context.by_parameters(owner).get(key)
        if others is not None and owner != one.name:
            for other in others:
                yield owner, other


@rule("M6", SRC, "the result of a method fits those of the methods that it overrides")
def m6(context: Context, one: ClassItems) -> None:
    """[C.m] and S(C,D) and [D.m] => S(R,R'), where C.m returns R, and D.m of the same parameters R'."""
    for variable, _, member in one.overriding:
        result = method_types(member[1])[1]
        if not result.startswith("L") or result[1:-1] not in context.classes:
            continue
        for owner, other in overridden(context, one, member):
            wanted = method_types(other[1])[1]
            if wanted != result and wanted.startswith("L") and wanted[1:-1] in context.above(result[1:-1]):
                premises = [variable, *context.inherited(one.name, owner, other)]
                context.need_one(premises, [context.subtype(result[1:-1], wanted[1:-1])])


@rule("M8", SRC, "a method that only the compiler makes needs its code")
def m8(context: Context, one: ClassItems) -> None:
    """Clauses for methods that only the compiler makes:

    * [C.m] => [C.m!code] of a bridge, an access$ method, and a constructor for nested classes: source has only the
      method to which the code leads.
    * [C[bootstrap i]] => the code of a lambda whose interface erases the result: javac cannot infer a type from
      ``null``.
    """
    for variable, _, member, access in one.method_items:
        if access & SYNTHETIC and (access & BRIDGE or member[0] == "<init>" or member[0].startswith("access$")):
            context.edge(variable, context.variables.code[one.name, member])
    for variable, bootstrap in one.bootstraps:
        if bootstrap.makes_lambda:
            _, owner, name, descriptor, _ = bootstrap.handles[0]
            other, lambda_ = context.classes.get(owner), (name, descriptor)
            made = other is not None and other.facts.methods.get(lambda_, 0) & SYNTHETIC
            results = [method_types(type_)[1] for type_ in bootstrap.types[:2]]
            if made and (results[0] != results[1] or results[0] == "Ljava/lang/Object;"):
                context.edge(variable, context.variables.code[owner, lambda_])


@rule("C1s", SRC, "an interface that calls itself functional has one abstract method")
def c1_source(context: Context, one: ClassItems) -> None:
    """@FunctionalInterface => the single abstract method, and implementations of other abstract methods above."""
    owned = ((owner, item) for owner, item, use in one.annotations if use.type == _FUNCTIONAL)
    marks = [one.fact if item is None else item for owner, item in owned if owner == WHOLE_CLASS]
    if not one.is_interface or not marks:
        return
    mark = marks[0]
    single = list(_unimplemented(context, one.name))
    if len({(name, len(method_types(descriptor)[0])) for name, descriptor in single}) == 1:
        choices = [
            context.reached(one.name, declared, member)
            for member in single
            for declared in context.lookup_method(one.name, member, False)
            if declared.access != ANY
        ]
        context.need_one([mark], choices)
        implements_all(context, one.name, mark, frozenset(single))


def _unimplemented(context: Context, name: str) -> Iterator[Member]:
    """Yield the abstract methods that an interface has, those of Object aside."""
    top = context.info(OBJECT)
    found = {member for owner in context.above(name) for member in context.abstract_methods(owner)}
    for member in sorted(found):
        declared = context.lookup_method(name, member, False)
        if not (top is not None and member in top.methods) and all(one.access & ABSTRACT for one in declared):
            yield member


def _is_checked(context: Context, name: str) -> bool:
    above = context.above(name)
    return _THROWABLE in above and _UNCHECKED.isdisjoint(above)


def _clause(context: Context, owner: str, member: Member, exception: str, *, below: bool = False) -> list[int]:
    """Return, for each exception of a method's throws clause that covers ``exception``, the fact of its row and of the
    relation. With ``below`` exceptions that ``exception`` covers count, too.
    """
    one = context.classes.get(owner)
    found = []
    for number, thrown in one.thrown(member) if one is not None else ():
        there = number if number is not None else context.class_fact(thrown)
        if thrown in context.above(exception):
            found.append(context.both(there, context.subtype(exception, thrown)))
        elif below and exception in context.above(thrown):
            found.append(context.both(there, context.subtype(thrown, exception)))
    return found


@rule("M7", SRC, "what a method throws, the methods that it overrides throw too")
def m7(context: Context, one: ClassItems) -> None:
    """[C.m[throws E]] and S(C,D) and [D.m] => OR over the exceptions F of D.m above E of [D.m[throws F]] and S(E,F).

    The same where a bridge of C overrides D.m and leads to C.m.
    """
    methods = [(variable, member, member) for variable, _, member in one.overriding]
    for _, bridge, called in one.bridges:
        targets = [use[2:4] for use in called if use[1] == one.name]
        methods += [(context.method_fact(one.name, target), target, bridge) for target in targets]
    for variable, member, overriding in methods:
        for number, fact, exception in _checked(context, one.name, member):
            written = [fact] if number is not None else [variable, fact]
            for owner, other in overridden(context, one, overriding):
                premises = [*written, *context.inherited(one.name, owner, other)]
                context.need_one(premises, _clause(context, owner, other, exception))


@rule("H3s", SRC, "a constructor throws what the superclass's constructor throws")
def h3_source(context: Context, one: ClassItems) -> None:
    """The stub of a constructor calls a constructor of the superclass S, perhaps another one than the code calls.

    * [C.<init>] and [C<S] and [S.<init>[throws F]] => OR over the exceptions E of C.<init> above F of [C.<init>[throws
      E]] and S(F,E). If C.<init> throws no such E: its code, or a constructor of S that the stub prefers.
    * [C<S] and [S.<init>()[throws F]] => OR of the constructors of C: without any, javac adds one that throws nothing.
    * S outside the input, with unknown exceptions of its constructors: [C.<init>] and [C<S] => each checked
      [C.<init>[throws E]]; and [C<S] => OR of the constructors of C, if each of them throws a checked exception.
    """
    constructors = one.constructors
    for edge, part in one.of(PartKind.SUPERCLASS):
        above = context.classes.get(part.target)
        if above is None:
            always = bool(constructors)
            for constructor, member, _ in constructors:
                checked = _checked(context, one.name, member)
                always = always and bool(checked)
                for number, _, _ in checked:
                    if number is not None:
                        context.add([constructor, edge], [number])
            if always:
                context.need_one([edge], [constructor for constructor, _, _ in constructors])
            continue
        preferred: list[int] = []
        usable = super_constructors(context.hierarchy, one.name, part.target)
        for called, facts in sorted(usable, key=lambda each: each[0] != _DEFAULT):
            for _, fact, exception in _checked(context, part.target, called):
                there = [edge, *facts, fact]
                for constructor, member, _ in constructors:
                    found = _clause(context, one.name, member, exception)
                    code = context.variables.code[one.name, member]
                    context.need_one([constructor, *there], found or [code, *preferred])
                if called == _DEFAULT:
                    context.need_one(there, [constructor for constructor, _, _ in constructors])
            preferred.append(context.all(facts))


@rule("K10", SRC, "code keeps its method's throws clause, and those behind what it catches")
def k10(context: Context, one: ClassItems) -> None:
    """Clauses for a body ``c`` of C.m:

    * c => [C.m[throws E]] for each checked E.
    * c catches a checked E => for each method called by c, one of its exceptions related to E. A method that gives
      access to nested classes, and an anonymous class's constructor, count as catching their own exceptions: in source
      only their calls are left.
    * c makes a lambda or method reference that throws E => its interface's method throws E
      (:func:`_thrown_by_lambda`).
    * c's call of a method may fall through to a declaration with more exceptions => a nearer one stays
      (:func:`_fallen_through`).
    """
    is_anonymous = one.facts.enclosing is not None and one.name.rpartition("$")[2].isdigit()
    for code, member, facts in one.codes:
        own = _checked(context, one.name, member)
        for number, _, _ in own:
            if number is not None:
                context.edge(code, number)
        caught = [name for name, _, reason in facts.subtypes if reason == "catch" and _is_checked(context, name)]
        is_made = is_anonymous or bool(one.facts.methods[member] & SYNTHETIC)
        if member[0].startswith("access$") or (member[0] == "<init>" and is_made):
            caught += [name for *_, name in own]
        for called in facts.called:
            _fallen_through(context, one, (code, member), *called)
        for exception in caught:
            for owner, called_member in facts.called:
                for declaration in context.lookup_method(owner, called_member):
                    found = _clause(context, declaration.owner, called_member, exception, below=True)
                    premises = [code, context.method_fact(declaration.owner, called_member)]
                    context.need_one(premises, found)
        for made in one.lambdas(facts.call_sites):
            _thrown_by_lambda(context, code, made)


def _thrown(context: Context, owner: str, member: Member) -> list[tuple[int | None, str]]:
    """Return the exceptions in a method's throws clause, be it of a library, as :meth:`ClassItems.thrown` tells
    them."""
    one = context.classes.get(owner)
    if one is not None:
        return one.thrown(member)
    info = context.info(owner)
    return [(None, name) for name in info.thrown.get(member, ())] if isinstance(info, LibraryClass) else []


def _checked(context: Context, owner: str, member: Member) -> list[tuple[int | None, int, str]]:
    """Return the checked exceptions in a method's throws clause. Of each: the variable of its entry, or None if the
    entry is no item; the fact that keeps the entry; the name."""
    return [
        (number, number if number is not None else context.class_fact(name), name)
        for number, name in _thrown(context, owner, member)
        if _is_checked(context, name)
    ]


def _fallen_through(context: Context, one: ClassItems, caller: tuple[int, Member], owner: str, called: Member) -> None:
    """c with a call of D.m, S(D,F) and [F.m[throws E]] => OR of the [D'.m] between D and F without E.

    When the nearest declaration goes, a call falls through to the next one above, whose exceptions c may not handle.
    """
    declared = context.lookup_method(owner, called)
    if (
        len(declared) < 2
        or called[0] == "<init>"
        or not any(_checked(context, each.owner, called) for each in declared)
    ):
        return
    handled = {name for _, name in (*one.thrown(caller[1]), *_thrown(context, declared[0].owner, called))}
    quiet: list[int] = []
    for declaration in declared:
        reached = context.reached(owner, declaration, called)
        more = [
            fact
            for _, fact, name in _checked(context, declaration.owner, called)
            if handled.isdisjoint(context.above(name))
        ]
        for there in more:
            context.need_one([caller[0], reached, there], quiet)
        if not more:
            quiet.append(reached)


def _thrown_by_lambda(context: Context, code: int, made: LambdaObject) -> None:
    """Keep the throws clause of a lambda's interface method while the implementation throws the exception. The
    exceptions of a library's method are unknown: then the interface method keeps its whole clause."""
    _, owner, called, descriptor, _ = made.maker.handles[0]
    single = made.name, made.maker.types[0]
    declared = context.lookup_method(made.interface, single, False)
    if owner not in context.classes:
        for declaration in declared:
            for number, _, _ in _checked(context, declaration.owner, single):
                if number is not None:
                    context.add([code, context.method_fact(declaration.owner, single)], [number])
        return
    for ended in context.lookup_method(owner, (called, descriptor)):
        reached = context.reached(owner, ended, (called, descriptor))
        for _, there, exception in _checked(context, ended.owner, (called, descriptor)):
            for declaration in declared:
                premises = [code, reached, there, context.method_fact(declaration.owner, single)]
                context.need_one(premises, _clause(context, declaration.owner, single, exception))


@rule("K12", SRC, "code that reads what a compiler keeps in a field needs the code that sets it, and its final flag")
def k12(context: Context, one: ClassItems) -> None:
    """c reads C.f, static and synthetic, set in <clinit> ($SwitchMap$..., $assertionsDisabled) => [C.<clinit>!code] and
    [C.f[final]]: decompilers look for the flag too."""
    for code, _, facts in one.codes:
        for kind, owner, name, descriptor in facts.fields:
            other = context.classes.get(owner)
            if kind != "getstatic" or other is None or not other.facts.fields.get((name, descriptor), 0) & SYNTHETIC:
                continue
            initialiser = context.variables.code.get((owner, CLASS_INITIALISER))
            if initialiser is not None and ("putstatic", owner, name, descriptor) in other.initialiser.fields:
                context.edge(code, initialiser)
                context.edge(code, context.variables.finals[owner, (name, descriptor)])


@rule("K11", SRC, "what code opens, runs through or serializes stays AutoCloseable, Iterable or Serializable")
def k11(context: Context, one: ClassItems) -> None:
    """A for-each and a try-with-resources are calls in bytecode.

    * c calls C.iterator() => S(C, Iterable).
    * c calls C.close() and adds suppressed exceptions => S(C, AutoCloseable).
    * c makes a lambda of C that can be serialized => S(C, Serializable): else decompilers cast the lambda to the raw C.
    """
    for code, _, facts in one.codes:
        closes = any(name == "addSuppressed" for _, _, name, _, _ in facts.methods)
        for owner, (name, descriptor) in facts.called:
            target = _ITERABLE if name == "iterator" and descriptor.startswith("()") else None
            if closes and (name, descriptor) == ("close", "()V"):
                target = _CLOSEABLE
            if target is not None and target in context.above(owner):
                context.need_subtype(code, owner, target)
        for made, _, _, maker in one.lambdas(facts.call_sites):
            if maker.method[2] == _OTHER_FACTORY and _SERIAL in context.above(made):
                context.need_subtype(code, made, _SERIAL)
