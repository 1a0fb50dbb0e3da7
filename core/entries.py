"""The entries of an archive in memory."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from core.renaming import NOTHING_RENAMED, Renaming

Entries = Sequence[tuple[str, bytes]]
"""Names and contents, in the order of the archive."""


CONTROL: Entries = [
    (
        "JarletControl.class",
        b"\xca\xfe\xba\xbe\0\0\0\x31\0\5\7\0\2\1\0\x0dJarletControl\7\0\4\1\0\x10java/lang/Object\6\1\0\1\0\3"
        + bytes(8),
    )
]
"""A small input without a reason to fail: an interface without members (JVMS 4.1). Every version of a tool can read its
class file, which is of version 49."""


class RewrittenEntries(list[tuple[str, bytes]]):
    """Entries of a rewritten program, with the changes of names since the full input."""

    def __init__(self, entries: Entries, renaming: Renaming) -> None:
        super().__init__(entries)
        self.renaming = renaming


def renaming_of(entries: Entries) -> Renaming:
    """Return the changes of names from the full input to some entries."""
    return entries.renaming if isinstance(entries, RewrittenEntries) else NOTHING_RENAMED


BESIDE = "//"
"""Beginning of the names of entries that are text files beside the jar, reduced by lines. No jar has such names."""


def beside(entries: Entries) -> Entries:
    """Return the entries that are files beside the jar."""
    return [entry for entry in entries if entry[0].startswith(BESIDE)]


def of_jar(entries: Iterable[tuple[str, bytes]]) -> Entries:
    """Return the entries that are in the jar."""
    return [entry for entry in entries if not entry[0].startswith(BESIDE)]


def class_files(entries: Entries) -> list[str]:
    """Return the names of the class files among some entries."""
    return [name for name, _ in entries if name.endswith(".class")]
