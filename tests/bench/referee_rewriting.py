"""Random rewritings of random sub-inputs, for the referee."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from core.archive.entry_names import is_versioned
from core.archive.manifest import classes_of_service
from core.classfile.format_error import ClassFormatError
from core.classfile.symbolic.symbolic_class import read
from core.edits.names.naming import NAMES
from core.edits.programs.kinds import KINDS
from core.edits.programs.program import Library, WholeProgram
from core.entries import Entries
from core.library.library import open_library
from core.renaming import NOTHING_RENAMED, Renaming

_SUFFIX = ".class"
_ROWS = (1, 1, 3, 10)
"""Numbers of rewritings that follow each other, drawn alike."""
_NAMED = 0.5
"""Share of the sub-inputs that get neutral names."""


class Changed(NamedTuple):
    """A sub-input as it is judged, the changes of names that led to it, and the sub-input before them."""

    entries: Entries
    renaming: Renaming
    drawn: Entries


def as_drawn(entries: Entries) -> Changed:
    """Return a sub-input without any change."""
    return Changed(entries, NOTHING_RENAMED, entries)


def rewriter(class_path: Sequence[Path], seed: int) -> Callable[[Entries], Changed]:
    """Return a function that makes random edits in one sub-input after another."""
    choice, library = random.Random(seed), open_library(class_path).get
    return lambda entries: rewritten(entries, library, choice)


def rewritten(
    entries: Entries, library: Library, choice: random.Random, kinds: Sequence[str] = tuple(KINDS)
) -> Changed:
    """Return a sub-input after some random edits of one to ten random kinds, and in half of the cases some neutral
    names; itself where a class cannot be read, or is a copy for a later Java version.
    """
    if any(is_versioned(name) for name, _ in entries):
        return as_drawn(entries)
    try:
        trees = [read(data) for name, data in entries if name.endswith(_SUFFIX)]
    except ClassFormatError:
        return as_drawn(entries)
    named = [classes_of_service(name, data) for name, data in entries]
    others = tuple((name, data) for name, data in entries if not name.endswith(_SUFFIX))
    program = WholeProgram(tuple(trees), library, fixed=frozenset().union(*named), resources=others)
    if len(program.by_name) < len(trees):
        return as_drawn(entries)
    chosen = [KINDS[kind] for kind in choice.choices(list(kinds), k=choice.choice(_ROWS))]
    for kind in [*chosen, NAMES] if choice.random() < _NAMED else chosen:
        share = choice.choice((0.1, 0.5, 1.0))
        edits = [edit for edit in kind.find(program) if choice.random() < share]
        program = kind.make(program, edits)
    classes = [(f"{tree.name}{_SUFFIX}", tree.written()) for tree in program.classes]
    return Changed([*filter(None, program.resources), *classes], program.renaming, entries)
