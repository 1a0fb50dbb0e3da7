"""A: InnerClasses and BootstrapMethods."""

from __future__ import annotations

from core.archive.entry_names import class_path
from core.classfile.descriptors import class_names, method_types
from core.classfile.symbolic.part_kinds import PartKind
from core.model.formula import TRUE
from core.model.reading.facts import Handle
from core.model.rules.base import JVM, SRC, rule
from core.model.rules.class_items import ClassItems
from core.model.rules.context import Context

STATIC_KINDS = (2, 4, 6)
_FIELD_KINDS = (1, 2, 3, 4)
SPECIAL, NEW = 7, 8


@rule("A1", JVM, "a row about a nested class names it and the class around it")
def a1(context: Context, one: ClassItems) -> None:
    """[C[inner X]] => X and its outer class."""
    for variable, inner, outer in one.inner_rows:
        for name in (inner, outer):
            if name is not None and name != one.name and name in context.classes:
                context.edge(variable, context.classes[name].fact)


@rule("A1s", JVM, "a nested class and the class around it tell of each other")
def a1_source(context: Context, one: ClassItems) -> None:
    """[C[inner C]] => [O[inner C]], where O is C's outer class: reflection and compilers compare the two rows. Of a
    local class the one around it is that of EnclosingMethod. In a multi-release jar it may be another version of O that
    has the row."""
    for variable, inner, outer in one.inner_rows:
        if inner == one.name and outer is not None:
            row = context.row(outer, inner)
            context.edge(variable, row)
            if row == TRUE and outer in context.classes:
                context.need_one([variable], _rows(context, outer, inner))
    if one.facts.enclosing is not None:
        premise = next((variable for variable, _ in one.of(PartKind.ENCLOSING)), one.fact)
        context.edge(premise, context.row(one.facts.enclosing[0], one.name))
        context.edge(premise, context.row(one.name, one.name))


def _rows(context: Context, outer: str, inner: str) -> list[int]:
    """Return the rows about ``inner`` in other class files of the name ``outer``."""
    copies = [one for one in context.classes if one.endswith(f"/{outer}") and class_path(one) == outer]
    return [row for row in (context.row(copy, inner) for copy in copies) if row != TRUE]


def need_handle(context: Context, premise: int, origin: str, handle: Handle, *, written: bool = True) -> None:
    """``HANDLE``: the member that a method handle stands for, and the classes of its descriptor; ``written``: source
    names them."""
    kind, owner, name, descriptor, _ = handle
    member = (name, descriptor)
    if written:
        context.need_names(premise, origin, [owner])
        context.need_descriptor(premise, origin, descriptor)
    else:
        context.need(premise, context.loaded((owner, *class_names(descriptor))))
    if kind in _FIELD_KINDS:
        context.need(premise, context.field(origin, owner, member, kind in STATIC_KINDS))
    elif kind == NEW or context.is_private(owner, member):
        context.need(premise, context.exact(origin, owner, member))
    else:
        found = context.method(origin, owner, member, kind in STATIC_KINDS, concrete=kind == SPECIAL)
        context.need(premise, found)


@rule("A2", JVM, "a bootstrap entry needs its method and arguments")
def a2(context: Context, one: ClassItems) -> None:
    """[C[bootstrap i]] => HANDLE of the bootstrap method and of every static argument. No source names the bootstrap
    method: the rows about MethodHandles$Lookup and the like may go."""
    for variable, bootstrap in one.bootstraps:
        need_handle(context, variable, one.name, bootstrap.method, written=False)
        for handle in bootstrap.handles:
            need_handle(context, variable, one.name, handle)
        for descriptor in bootstrap.types:
            context.need_descriptor(variable, one.name, descriptor)
        context.need_names(variable, one.name, bootstrap.classes)
        for index, descriptor in bootstrap.dynamics:
            context.need_descriptor(variable, one.name, descriptor)
            other = one.part(PartKind.BOOTSTRAP, index)
            if other is not None:
                context.edge(variable, other)


def implementation(handle: Handle) -> tuple[tuple[str, ...], str]:
    """Parameters (the receiver first) and result of the method that a handle stands for, as descriptors."""
    kind, owner, _, descriptor, _ = handle
    wanted, given = method_types(descriptor)
    if kind == NEW:
        return wanted, f"L{owner};"
    return wanted if kind in STATIC_KINDS else (f"L{owner};", *wanted), given


@rule("A3", JVM, "a lambda's parameters and result fit the method that implements it")
def a3(context: Context, one: ClassItems) -> None:
    """The checks by LambdaMetafactory of its instantiated type: the parameters are subtypes of the implementation's and
    of the interface method's (and bridges'); the result is a subtype of the results of the interface method and
    bridges, and the implementation's result is a subtype of the instantiated one."""
    for variable, bootstrap in one.bootstraps:
        if not bootstrap.makes_lambda:
            continue
        erased, instantiated, *bridges = bootstrap.types
        parameters, result = method_types(instantiated)
        wanted, given = implementation(bootstrap.handles[0])
        # captured values come first; what they are only the call knows (rule K5)
        for mine, theirs in zip(reversed(parameters), reversed(wanted), strict=False):
            need_fit(context, variable, mine, theirs)
        need_fit(context, variable, given, result)
        for descriptor in (erased, *bridges):
            others, other_result = method_types(descriptor)
            for mine, other in zip(parameters, others, strict=False):
                need_fit(context, variable, mine, other)
            need_fit(context, variable, result, other_result)


@rule("A4", SRC, "a nested class stays nested")
def a4(context: Context, one: ClassItems) -> None:
    """[C] => [C[inner C]]: a compiler finds it as O.C by that row, and decompilers write it within O. [C[inner X]] =>
    [C[inner O]] for X's outer class O outside the input; a class of the input has such a row of its own."""
    context.edge(one.fact, context.row(one.name, one.name))
    for variable, _, outer in one.inner_rows:
        if outer is not None and outer not in context.classes:
            context.edge(variable, context.row(one.name, outer))


@rule("A5", SRC, "a class that names a protected nested class of another package stays below the class around that")
def a5(context: Context, one: ClassItems) -> None:
    """[C[inner O.X]], X protected, O of another package => OR of S(D,O), where D is C or a class around C."""
    around = [one.name]
    for name in around:
        there = context.classes.get(name)
        around += [outer for inner, outer in there.facts.inner if inner == name and outer] if there is not None else []
    for variable, inner, outer in one.inner_rows:
        if inner in one.facts.guarded and outer is not None and not context.same_package(one.name, outer):
            below = [name for name in around if outer in context.above(name)]
            context.need_one([variable], [context.subtype(name, outer) for name in below])


def need_fit(context: Context, premise: int, source: str, target: str) -> None:
    """``premise`` needs a value of one descriptor to fit another; only classes and arrays of them can fail to."""
    if source.endswith(";") and target.endswith(";") and source.count("[") == target.count("["):
        (sub,), (sup,) = class_names(source), class_names(target)
        context.need_subtype(premise, sub, sup)
