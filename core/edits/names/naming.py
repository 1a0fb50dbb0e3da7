"""The kind of rewriting that gives neutral names: one edit for each name, with all its places."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.archive.entry_names import place_of, placed
from core.edits.names.name_map import NamedAnew
from core.edits.names.names_in_use import NamesInUse
from core.edits.names.neutral_names import (
    CLASS,
    MEMBER,
    MODULE,
    PACKAGE,
    STRING,
    Name,
    NeutralNames,
    may_stay,
    names_of,
    neutral_names,
    own_name,
    string_pieces,
)
from core.edits.names.resource_names import named_anew, new_resource, resources_to_name, resources_with
from core.edits.programs.class_relations import OBJECT
from core.edits.programs.program import ProgramEdit, WholeProgram, kind, shown
from core.renaming import Neutral

_MOST_CLASS_BYTES = 20_000_000
"""Most bytes of classes with changed names: every probe takes as long as writing all of them. See
decisions/051-neutral-names.md."""


def _find(program: WholeProgram) -> Sequence[ProgramEdit]:
    """Return an edit for each name with a meaning; none if the names of the JDK are unknown."""
    if not program.classes or program.library(OBJECT) is None:
        return ()
    in_use = NamesInUse(program)
    names = [name for name in names_of(in_use) if not may_stay(name, in_use)]
    new = neutral_names(names, in_use.simple_names(), in_use.strings)
    new |= _resources(program, in_use)
    changed = NeutralNames(in_use, new)
    new = {name: text for name, text in new.items() if name.of != STRING or changed.spelled(name.text) is None}
    declaring = _declaring(program)
    return [
        ProgramEdit(f"the {name.of} {shown(name.text)} becomes {text}", _touched(name, declaring, in_use), (name, text))
        for name, text in new.items()
    ]


@kind(
    "names",
    _find,
    most=_MOST_CLASS_BYTES,
    copies=True,
    weighs=False,
    may_grow=True,
    told="names became neutral",
)
def NAMES(program: WholeProgram, edits: Sequence[ProgramEdit]) -> WholeProgram:
    """Give neutral names; strings and resources that name a class follow it."""
    names = NeutralNames(NamesInUse(program), dict(edit.what for edit in edits))
    return named(program, names)


def named(program: WholeProgram, names: NeutralNames) -> WholeProgram:
    """Return the program with other names."""
    copy = NamedAnew(names)
    trees = [(tree, copy.tree(tree)) for tree in program.classes]
    copies = [(number, tree, copy.tree(tree)) for number, tree in program.versioned]
    versioned = [(number, old if old == new else new) for number, old, new in copies]
    places = [placed(number, tree.name) for number, tree in versioned]
    neutral = Neutral(
        classes={new: old for old, new in names.classes.items()},
        packages={new: name.text for name, new in names.new.items() if name.of == PACKAGE},
        words=_words(names),
    )
    return replace(
        program,
        classes=tuple([old if old == new else new for old, new in trees]),
        versioned=tuple(versioned),
        renaming=replace(program.renaming, neutral=neutral.after(program.renaming.neutral)),
        resources=resources_with(program.resources, names, [new.name for _, new in trees] + places),
    )


def _words(names: NeutralNames) -> dict[str, str]:
    """Return the old words by the new ones: own names of classes, members, strings with their pieces."""
    found: dict[str, str] = {}
    for name, new in names.new.items():
        if name.of == STRING:
            for piece, old in string_pieces(name.text, new):
                found.setdefault(piece, old)
        elif name.of in (CLASS, MEMBER, MODULE):
            found[new] = own_name(name.text, names.in_use.outer) if name.of == CLASS else name.text
    return found


def _resources(program: WholeProgram, in_use: NamesInUse) -> dict[Name, str]:
    """Return the new names of resources whose old names have a meaning."""
    entries = [entry for entry in program.resources if entry is not None]
    resources = resources_to_name([name for name, _ in entries])
    new = {name: new_resource(name.text, number) for number, name in enumerate(resources, 1)}
    changed = NeutralNames(in_use, new)
    changing = {place_of(entry[0])[1] for entry in entries if named_anew(entry, changed) != entry}
    return {name: text for name, text in new.items() if name.text in changing}


def _declaring(program: WholeProgram) -> dict[str, list[str]]:
    """Return the classes that declare members, by the members' names."""
    found: dict[str, dict[str, None]] = {}
    for tree in (*program.classes, *(copy for _, copy in program.versioned)):
        for member in (*tree.fields, *tree.methods):
            found.setdefault(member.name, {})[tree.name] = None
    return {name: list(classes) for name, classes in found.items()}


def _touched(name: Name, declaring: dict[str, list[str]], in_use: NamesInUse) -> tuple[str, ...]:
    """Return the classes and entries that a new name changes."""
    known = in_use.program.by_name
    if name.of == PACKAGE:
        return tuple(each for each in known if each.rpartition("/")[0] == name.text)
    if name.of == MEMBER:
        return tuple(declaring.get(name.text, ()))
    return (name.text,) if name.of == CLASS else ()
