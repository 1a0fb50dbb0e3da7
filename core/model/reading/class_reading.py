"""One class file, read: what the class graph and the rules must know of it. Plain data that can travel."""

from __future__ import annotations

from contextlib import suppress
from typing import NamedTuple

from core.classfile.class_file import parse
from core.classfile.format_error import ClassFormatError
from core.classfile.outline import Outline, SharedNames, outline
from core.model.reading.facts import ClassFacts, extract


class ClassNode(NamedTuple):
    """One class file of the input, as far as it can be told without its code."""

    entry: int
    """Index among the entries of the :class:`~core.archive.jar.Jar`."""
    name: str
    """Internal name; a second class file of one name (a multi-release copy) has its entry's path."""
    package: str
    """Internal name of the package, empty for the unnamed one."""
    bytes: int
    superclass: str | None
    interfaces: tuple[str, ...]
    access: int
    version: tuple[int, int]
    """Major, minor."""
    fields: int
    methods: int


class ClassReading(NamedTuple):
    """A class file that could be read."""

    node: ClassNode
    mentions: frozenset[str]
    """All classes that it names, anywhere."""
    facts: ClassFacts | None
    """None: not asked for, or something in it cannot be analysed."""


def read_class(entry: int, data: bytes, granularity: str | None, names: SharedNames) -> ClassReading | str:
    """Return the class file of the jar's entry of that number, or a text with the reason if the file is damaged.

    ``granularity``: of the parts among the facts; None: no facts. ``names``: shared by all classes of a jar.
    """
    facts = None
    try:
        found = outline(data, names)
        if granularity is not None:
            with suppress(ClassFormatError):
                facts = extract(parse(data, names.texts), granularity)
    except ClassFormatError as error:
        return str(error)
    return ClassReading(_node(entry, found, len(data)), found.mentions, facts)


def _node(entry: int, found: Outline, size: int) -> ClassNode:
    return ClassNode(
        entry=entry,
        name=found.name,
        package=found.name.rpartition("/")[0],
        bytes=size,
        superclass=found.superclass,
        interfaces=found.interfaces,
        access=found.access,
        version=found.version,
        fields=found.fields,
        methods=found.methods,
    )
