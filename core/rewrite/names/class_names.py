"""Other names for classes: in every constant of every class file that names them, and in the names of the files."""

from __future__ import annotations

import re
from collections.abc import Mapping

from core.classfile.class_file import parse
from core.classfile.pool import UTF8
from core.entries import Entries, RewrittenEntries, renaming_of

_IN_DESCRIPTOR = re.compile(r"(?<=L)[^;<>:\[.()]+(?=[;<])")


def with_class_names(entries: Entries, names: Mapping[str, str]) -> RewrittenEntries:
    """Return the entries with other classes' names; ``names`` has the new internal name of each.

    A text that is equal to a name of a class is renamed too: reflection may mean that class.
    """
    found = []
    for name, data in entries:
        if name.endswith(".class"):
            stem = name.removesuffix(".class")
            found.append((f"{names.get(stem, stem)}.class", _renamed(data, names)))
        else:
            found.append((name, data))
    before = renaming_of(entries)
    return RewrittenEntries(found, before.then(names))


def _renamed(data: bytes, names: Mapping[str, str]) -> bytes:
    file = parse(data)
    for index, constant in enumerate(file.constants.tuples()):
        if constant is not None and constant[0] == UTF8:
            text = _text(constant[1], names)
            if text != constant[1]:
                file.constants[index] = (UTF8, text)
    return file.to_bytes()


def _text(text: str, names: Mapping[str, str]) -> str:
    if text in names:
        return names[text]
    dotted = text.replace(".", "/")
    if dotted in names:
        return names[dotted].replace("/", ".")
    return _IN_DESCRIPTOR.sub(lambda match: names.get(match[0], match[0]), text)
