"""The jars of a class path that some classes need by name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import ExitStack, closing, suppress
from pathlib import Path

from core.classfile.class_file import parse
from core.classfile.format_error import ClassFormatError
from core.classfile.references import references
from core.errors import InputError
from core.library.class_path import Classpath
from core.library.skim import skim


def needed_jars(classes: Iterable[bytes], class_path: Sequence[Path]) -> list[Path]:
    """Return, in their order, the parts of a class path with a class named by one of the ``classes``, or with a
    supertype of one. Unreadable parts count as needed, and all do if one of the ``classes`` cannot be read.
    """
    names: set[str] = set()
    try:
        for data in classes:
            names |= references(parse(data))
    except ClassFormatError:
        return list(class_path)
    found: set[Path] = set()
    with ExitStack() as stack:
        parts: dict[Path, Classpath] = {}
        for path in class_path:
            try:
                parts[path] = stack.enter_context(closing(Classpath([path], lambda: 0)))
            except InputError:
                found.add(path)
        left = sorted(names)
        while left:
            name = left.pop()
            place = next((path for path, part in parts.items() if part.class_bytes(name) is not None), None)
            if place is not None:
                found.add(place)
                more = _supertypes(parts[place].class_bytes(name) or b"") - names
                names |= more
                left += sorted(more)
    return [path for path in class_path if path in found]


def _supertypes(data: bytes) -> set[str]:
    """Return the superclass and the interfaces of a class file; none of a damaged one."""
    with suppress(ClassFormatError):
        known = skim(data)
        return {*known.interfaces, *([known.superclass] if known.superclass else [])}
    return set()
