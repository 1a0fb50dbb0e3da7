"""The groups of presets in the list of predicates. No Qt."""

from __future__ import annotations

from collections.abc import Sequence

GROUPS = (
    ("Decompilers", ("cfr", "cfr-ecj", "procyon", "vineflower", "fernflower", "differ")),
    ("Running", ("run", "test", "verify", "crash", "xint")),
    ("Tools", ("ecj", "d8", "r8", "proguard", "jdeps", "spotbugs", "kotlin-metadata")),
)
OWN = "Own"
"""Title of the group with the command of the user, and with presets that the user has written."""


def grouped(names: Sequence[str]) -> list[tuple[str, list[str]]]:
    """Return the groups that have presets, each with its presets in the given order. A preset of no group belongs to
    the user."""
    known = {name for _, members in GROUPS for name in members}
    found = [(title, [name for name in members if name in names]) for title, members in GROUPS]
    found.append((OWN, [name for name in names if name not in known]))
    return [(title, members) for title, members in found if members]
