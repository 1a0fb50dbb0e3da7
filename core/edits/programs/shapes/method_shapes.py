"""Methods of a program that lose parameters or results, and the edits that tell which."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from core.classfile.descriptors import method_types
from core.classfile.flags import VARARGS
from core.classfile.pool import STRING
from core.classfile.symbolic.symbolic_class import MemberTree, Reference, SymbolicClass
from core.code.body_layout import TooLongError
from core.edits.programs.class_relations import INITIALISER
from core.edits.programs.program import ProgramEdit, WholeProgram
from core.edits.programs.shapes.dropping import SAME, MethodShape, reshaped
from core.edits.programs.shapes.families import MethodFamily, method_families
from core.protocol.java_names import item_title


def changeable(program: WholeProgram) -> Iterator[MethodFamily]:
    """Yield the methods whose descriptors can change. A method that a string or an annotation names may be called by
    reflection.
    """
    strings = {name for tree in program.classes for name in strings_of(tree)}
    yield from (each for each in method_families(program) if each.name not in strings)


def uncalled(program: WholeProgram) -> Iterator[MethodFamily]:
    """Yield the methods that can take more parameters: nothing calls them, and none has the same name."""
    for each in changeable(program):
        if not each.calls and not each.others and len(each.methods) == 1 and each.name != INITIALISER:
            yield each


def strings_of(tree: SymbolicClass) -> Iterator[str]:
    """Yield the strings of a class, and the texts of its annotations."""
    yield from (str(each.content[0]) for each in tree.symbols if each.tag == STRING)
    yield from annotation_texts(tree)


def annotation_texts(tree: SymbolicClass) -> Iterator[str]:
    """Yield the texts of the annotations of a class and its members."""
    owners: Sequence[SymbolicClass | MemberTree] = (tree, *tree.fields, *tree.methods)
    for owner in owners:
        for attribute in owner.attributes:
            if "Annotation" in attribute.name:
                yield from (str(each.content[0]) for each in attribute.symbols)


def edit(family: MethodFamily, shape: MethodShape, says: str) -> ProgramEdit:
    """Return the edit of the methods of a family. ``says`` is the change in words, with a place for the methods."""
    owners = sorted(family.owners)
    owner = next(each for each in owners if any(one.tree.name == each for one in family.methods))
    name = item_title(f"{owner}.{family.name}:{family.descriptor}")
    touches = tuple(f"{each.tree.name}.{family.name}:{family.descriptor}" for each in family.methods)
    whole = (*touches, *(f"{name}!code" for name in touches))
    return ProgramEdit(says.format(name), whole, (owners, family.name, family.descriptor, shape))


def with_shapes(program: WholeProgram, edits: Sequence[ProgramEdit]) -> WholeProgram:
    """Return the program in which methods lose what the edits tell; itself where a method would become too long."""
    shapes: dict[Reference, MethodShape] = {}
    for owners, name, descriptor, shape in (edit.what for edit in edits):
        for owner in owners:
            key = owner, name, descriptor
            before = shapes.get(key, SAME)
            shapes[key] = MethodShape(before.dropped | shape.dropped, before.is_void or shape.is_void)

    def changed(tree: SymbolicClass) -> SymbolicClass:
        after = reshaped(tree, lambda called: shapes.get(called, SAME))
        return tree if after is tree else _plain(after)

    try:
        return program.mapped(changed)
    except TooLongError:
        return program


def without_clashes(places: Mapping[MethodFamily, Sequence[int]]) -> Iterator[tuple[MethodFamily, MethodShape]]:
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


def _plain(tree: SymbolicClass) -> SymbolicClass:
    """Return a class without signatures of methods that say no more than the descriptors. A method without an array at
    the end of its parameters takes no variable number of arguments.
    """

    def told(method: MemberTree) -> MemberTree:
        if method.access & VARARGS and not (method_types(method.descriptor)[0] or ("",))[-1].startswith("["):
            method = method._replace(access=method.access & ~VARARGS)
        if method.signature != method.descriptor:
            return method
        return method._replace(attributes=tuple([each for each in method.attributes if each.name != "Signature"]))

    return tree._replace(methods=tuple(map(told, tree.methods)))
