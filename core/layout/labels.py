"""Short labels: what of a long name fits on a small rectangle."""

from __future__ import annotations

from collections.abc import Sequence

from core.protocol.java_names import dotted

ELLIPSIS = "…"


def fit(text: str, width: float, per_character: float) -> str:
    """Return ``text``, with its beginning cut off if need be: the ends of class names tell more apart."""
    room = max(int(width / per_character), 1)
    return text if len(text) <= room else ELLIPSIS + text[len(text) - room + 1 :]


def package_labels(names: Sequence[str]) -> list[str]:
    """Return the package names with dots, without the leading parts that all of them share."""
    parts = [dotted(name).split(".") if name else [] for name in names]
    filled = [path for path in parts if path]
    shared = 0
    if len(filled) > 1:
        # The last part of the shortest name always stays.
        limit = min(len(path) for path in filled) - 1
        while shared < limit and len({path[shared] for path in filled}) == 1:
            shared += 1
    return [".".join(path[shared:]) if path else "(unnamed)" for path in parts]
