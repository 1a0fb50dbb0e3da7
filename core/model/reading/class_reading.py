"""The facts in one class file for the class graph and the rules. Plain data that can travel.

As a process it reads chunks of class files until its input ends. Both ways a message is a pickle: the granularity and
pairs of entry and bytes; a list of readings. Imports nothing that takes long: numpy and
networkx stay out.
"""

from __future__ import annotations

import gc
import pickle
import sys
from contextlib import suppress
from typing import IO, Any, NamedTuple

from core.classfile.class_file import parse
from core.classfile.format_error import ClassFormatError
from core.classfile.outline import Outline, SharedNames, outline
from core.model.reading.facts import ClassFacts, extract


class ClassNode(NamedTuple):
    """One class file of the input, as far as it can be told without its code."""

    entry: int
    """Index among the entries of the :class:`~core.archive.jar.Jar`."""
    name: str
    """Internal name; a second class file of one name has its entry's path."""
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


def send(stream: IO[bytes], message: Any) -> None:
    """Write a message. OSError: no process reads it."""
    pickle.dump(message, stream, pickle.HIGHEST_PROTOCOL)
    stream.flush()


def main() -> None:
    """Serve the process that started this one."""
    gc.disable()  # little of what is made here is in cycles, and the process soon ends
    names = SharedNames()
    while True:
        try:
            granularity, classes = pickle.load(sys.stdin.buffer)
        except (EOFError, pickle.UnpicklingError):  # the end, perhaps in the middle of a message
            return
        send(sys.stdout.buffer, [read_class(entry, data, granularity, names) for entry, data in classes])


if __name__ == "__main__":
    from core.model.reading import class_reading

    class_reading.main()  # a pickle names the module of what it holds: __main__ is another one where it is read
