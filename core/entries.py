"""The entries of an archive in memory."""

from __future__ import annotations

from collections.abc import Sequence

Entries = Sequence[tuple[str, bytes]]
"""Names and contents, in the order of the archive."""
