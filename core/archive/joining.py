"""Several inputs joined to one jar, for ``--merge``, and the entries that are in more than one of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.archive.entry_names import MANIFEST, SERVICES, EntryKind, class_path
from core.archive.manifest import joined, without_class_path
from core.archive.named_inputs import InputJar
from core.archive.reading import Entry, listed
from core.system.budget import shortened
from core.words import counted

Read = Sequence[tuple[InputJar, Sequence[Entry]]]
"""Inputs with their entries, in the order of the class path."""


def repeated_text(read: Read) -> str:
    """Return a sentence on the classes that stand in more than one input; empty if there are none."""
    seen: set[str] = set()
    twice: dict[str, None] = {}
    for _, entries in read:
        own = {class_path(entry.name) for entry in entries if entry.kind is EntryKind.CLASS}
        twice |= dict.fromkeys(sorted(own & seen - {"module-info.class"}))
        seen |= own
    if not twice:
        return ""
    what = counted(len(twice), "class stands", "classes stand")
    return f"{what} in more than one input, and others see the first: {listed(list(twice))}."


def merged(read: Read, warnings: list[str]) -> list[Entry]:
    """Return the entries of inputs joined to one jar.

    Of entries with one name the first input's is kept, as on a class path; a warning tells. Service files are joined.
    An index, a ``Class-Path`` and signatures are left out, since they are about a jar of their own.
    """
    entries: dict[str, Entry] = {}
    signatures: list[str] = []
    repeated: list[str] = []
    for source, found in read:
        for entry in found:
            earlier = entries.get(entry.name)
            if entry.kind is EntryKind.SIGNATURE:
                signatures.append(entry.name)
            elif earlier is None:
                entries[entry.name] = _without_class_path(source, entry, warnings)
            elif SERVICES.fullmatch(entry.name):
                entries[entry.name] = replace(earlier, data=joined(earlier.data, entry.data))
            elif entry.kind is not EntryKind.DIRECTORY:
                repeated.append(entry.name)
    if repeated:
        warnings.append(f"Left out, since an earlier input has them too: {listed(repeated)}")
    if signatures:
        warnings.append(f"Signature files and indexes of joined inputs are left out: {listed(signatures)}")
    return list(entries.values())


def _without_class_path(source: InputJar, entry: Entry, warnings: list[str]) -> Entry:
    """Return an entry; a manifest without its ``Class-Path``."""
    if entry.name != MANIFEST:
        return entry
    data, jars = without_class_path(entry.data)
    if jars:
        warnings.append(
            f"{source.path}: the Class-Path of its manifest is left out, since inputs are joined to a jar in another "
            f"folder: {shortened(jars)}. Name these jars as inputs, or in the command."
        )
    return replace(entry, data=data)
