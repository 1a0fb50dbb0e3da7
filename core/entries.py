"""The entries of an archive in memory."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from core.renaming import NOTHING_RENAMED, Renaming

Entries = Sequence[tuple[str, bytes]]
"""Names and contents, in the order of the archive."""


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
