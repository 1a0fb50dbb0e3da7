"""Random rewritings of random sub-inputs, for the referee."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path

from core.archive.manifest import classes_of_service
from core.classfile.class_file import parse
from core.classfile.format_error import ClassFormatError
from core.entries import Entries
from core.library.library import open_library
from core.rewrite.names.naming import NAMES
from core.rewrite.programs.class_tree import read
from core.rewrite.programs.kinds import KINDS
from core.rewrite.programs.program import Library, WholeProgram
from tests.bench.referee_sampling import Sampler

_SUFFIX = ".class"
_ROWS = (1, 1, 3, 10)
"""Numbers of rewritings that follow each other, drawn alike."""
_NAMED = 0.5
"""Share of the sub-inputs that get neutral names."""


def rewritten(draw: Sampler) -> Sampler:
    """Return a sampler of rewritten sub-inputs of another sampler."""

    def sample(
        jar_path: Path, count: int, seed: int, granularity: str, validity: str, *, class_path: Sequence[Path]
    ) -> Iterator[Entries]:
        choice = random.Random(seed)
        library = open_library(class_path).get
        for entries in draw(jar_path, count, seed, granularity, validity, class_path=class_path):
            yield rewritten_entries(entries, library, choice)

    return sample


def rewritten_entries(
    entries: Entries, library: Library, choice: random.Random, kinds: Sequence[str] = tuple(KINDS)
) -> Entries:
    """Return a sub-input after some random edits of one to ten random kinds, and in half of the cases some neutral
    names; itself where a class cannot be read.
    """
    try:
        trees = [read(parse(data)) for name, data in entries if name.endswith(_SUFFIX)]
    except ClassFormatError:
        return entries
    named = [classes_of_service(name, data) for name, data in entries]
    others = tuple((name, data) for name, data in entries if not name.endswith(_SUFFIX))
    program = WholeProgram(tuple(trees), library, fixed=frozenset().union(*named), resources=others)
    if len(program.by_name) < len(trees):
        return entries
    chosen = [KINDS[kind] for kind in choice.choices(list(kinds), k=choice.choice(_ROWS))]
    for kind in [*chosen, NAMES] if choice.random() < _NAMED else chosen:
        share = choice.choice((0.1, 0.5, 1.0))
        edits = [edit for edit in kind.find(program) if choice.random() < share]
        program = kind.make(program, edits)
    return [*filter(None, program.resources), *((f"{tree.name}{_SUFFIX}", tree.written()) for tree in program.classes)]
