"""Methods of a program that lose parameters or results: the edits, and the program after them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from core.classfile.descriptors import method_types
from core.classfile.flags import VARARGS
from core.classfile.pool import STRING
from core.classfile.symbolic.symbol_pool import Reference
from core.classfile.symbolic.symbolic_class import MemberTree, SymbolicClass
from core.code.dataflow.locals import touched
from core.code.ops import argument_widths
from core.edits.programs.program import INITIALISER, ProgramEdit, RewritingKind, WholeProgram, item_of
from core.edits.programs.shapes.dropping import DEEPEST, SAME, MethodShape, reshaped
from core.edits.programs.shapes.families import Declared, MethodFamily, method_families, slots_of_parameters
from core.protocol.java_names import item_title

_MOST_CLASS_BYTES = 300_000
"""Most bytes of classes in which unread parameters are looked for. In larger inputs these are not worth the time.
See decisions/021-parameters.md."""


def _changeable(program: WholeProgram) -> Iterator[MethodFamily]:
    """Yield the methods whose descriptors can change. A method that a string or an annotation names may be called by
    reflection.
    """
    strings = {name for tree in program.classes for name in strings_of(tree)}
    yield from (each for each in method_families(program) if each.name not in strings)


def uncalled(program: WholeProgram) -> Iterator[MethodFamily]:
    """Yield the methods that can take more parameters: nothing calls them, and none has the same name."""
    for each in _changeable(program):
        if not each.calls and not each.others and len(each.methods) == 1 and each.name != INITIALISER:
            yield each


def strings_of(tree: SymbolicClass) -> Iterator[str]:
    """Yield the strings of a class, and the texts of its annotations."""
    yield from (each.text for each in tree.symbols if each.tag == STRING)
    yield from annotation_texts(tree)


def annotation_texts(tree: SymbolicClass) -> Iterator[str]:
    """Yield the texts of the annotations of a class and its members."""
    owners: Sequence[SymbolicClass | MemberTree] = (tree, *tree.fields, *tree.methods)
    for owner in owners:
        for attribute in owner.attributes:
            if "Annotation" in attribute.name:
                yield from (each.text for each in attribute.symbols)


def _edit(family: MethodFamily, shape: MethodShape, says: str) -> ProgramEdit:
    """Return the edit of the methods of a family. ``says`` is the change in words, with a place for the methods."""
    owners = sorted(family.owners)
    items = {each.tree.name: item_of((each.tree.name, family.name, family.descriptor)) for each in family.methods}
    first = next(items[owner] for owner in owners if owner in items)
    touches = (*items.values(), *(f"{item}!code" for item in items.values()))
    return ProgramEdit(says.format(item_title(first)), touches, (owners, family.name, family.descriptor, shape))


def _with_shapes(program: WholeProgram, edits: Sequence[ProgramEdit]) -> WholeProgram:
    """Return the program after the edits."""
    shapes: dict[Reference, MethodShape] = {}
    for owners, name, descriptor, shape in (edit.what for edit in edits):
        for owner in owners:
            key = owner, name, descriptor
            before = shapes.get(key, SAME)
            shapes[key] = MethodShape(before.dropped | shape.dropped, before.is_void or shape.is_void)

    def changed(tree: SymbolicClass) -> SymbolicClass:
        after = reshaped(tree, lambda called: shapes.get(called, SAME))
        return tree if after is tree else after.with_methods(_plain)

    return program.mapped(changed)


def _plain(method: MemberTree) -> MemberTree:
    """Return a method without a signature that says no more than the descriptor. Without an array at the end of its
    parameters a method takes no variable number of arguments.
    """
    if method.access & VARARGS and not (method_types(method.descriptor)[0] or ("",))[-1].startswith("["):
        method = method._replace(access=method.access & ~VARARGS)
    return method.with_attribute("Signature") if method.signature == method.descriptor else method


def _unread(program: WholeProgram) -> Iterator[ProgramEdit]:
    """Yield an edit for each unread parameter that each call pushes as a constant or a variable. The type parameters of
    a method may need the arguments. A method with a variable number of arguments needs its last parameter.
    """
    for each in method_families(program):
        if each.others or each.is_generic or each.takes_any_number:
            continue
        first = max([each.fixed, *(call.first for call in each.calls)])
        used = set().union(*[_used(declared, reads=True) for declared in each.methods])
        for place in range(first, len(method_types(each.descriptor)[0])):
            if place not in used:
                yield _edit(each, MethodShape(frozenset((place,))), "")


def _fewer(program: WholeProgram) -> Iterator[ProgramEdit]:
    """Yield one edit for each parameter, also for one that is read: null or 0 stands in its place. Yield one for most
    parameters of a method that has others of its name.
    """
    overloads: dict[MethodFamily, list[int]] = {}
    for each in _changeable(program):
        places = list(_places(each))
        if each.others and places:
            overloads[each] = places
            continue
        for place in places:
            yield _edit(each, MethodShape(frozenset((place,))), f"{{}} has no parameter {place + 1}")
    for each, shape in _without_clashes(overloads):
        numbers = ", ".join(str(place + 1) for place in sorted(shape.dropped))
        yield _edit(each, shape, f"{{}} has no parameters {numbers}")


def _results(program: WholeProgram) -> Iterator[ProgramEdit]:
    """Yield one edit for each method with a result: null or 0 replaces the used results. No other method may have its
    name and its parameters: only the result tells a bridge from the method that it calls.
    """
    for each in _changeable(program):
        taken, result = method_types(each.descriptor)
        if result != "V" and all(method_types(other)[0] != taken for other in each.others):
            yield _edit(each, MethodShape(is_void=True), "{} returns nothing")


UNREAD = RewritingKind("parameters", _unread, _with_shapes, most=_MOST_CLASS_BYTES, weighs=False)
ARGUMENTS = RewritingKind("arguments", _fewer, _with_shapes)
RESULTS = RewritingKind("results", _results, _with_shapes)


def _places(family: MethodFamily) -> Iterator[int]:
    """Yield the unwritten parameters that every call can do without."""
    widths = argument_widths(family.descriptor)
    first = max((call.first for call in family.calls), default=0)
    written = set().union(*[_used(declared, reads=False) for declared in family.methods])
    for place in range(family.fixed, len(method_types(family.descriptor)[0])):
        if place not in written and sum(widths[place + 1 : first]) <= DEEPEST:
            yield place


def _used(declared: Declared, *, reads: bool) -> set[int]:
    """Return the parameters that the code writes; with ``reads`` also the parameters that it reads."""
    if declared.code is None:
        return set()
    parameters = slots_of_parameters(declared)
    return {
        parameters[slot]
        for block in declared.code.flow.blocks
        for op in block.ops
        for slot, _, writes in touched(op)
        if (reads or writes) and slot in parameters
    }


def _without_clashes(places: Mapping[MethodFamily, Sequence[int]]) -> Iterator[tuple[MethodFamily, MethodShape]]:
    """Yield families with the shapes in which they lose all of some parameters, or all but one.

    The parameters that are left differ from those of all methods of their names in related classes, whichever of the
    families take their shapes.
    """
    taken: dict[tuple[frozenset[str], str], set[tuple[str, ...]]] = {}
    for family, dropped in places.items():
        known = taken.setdefault((family.owners, family.name), {method_types(each)[0] for each in family.others})
        known.add(method_types(family.descriptor)[0])
        for shape in _most(frozenset(dropped)):
            new = method_types(shape.of(family.descriptor))[0]
            if new not in known:
                known.add(new)
                yield family, shape
                break


def _most(dropped: frozenset[int]) -> Iterator[MethodShape]:
    yield MethodShape(dropped)
    for place in sorted(dropped) if len(dropped) > 1 else ():
        yield MethodShape(dropped - {place})
