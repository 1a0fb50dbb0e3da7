"""The last check that passed, kept for a reduction with equal settings."""

from __future__ import annotations

from typing import Any

from core.check.check import FinishedCheck
from core.predicate.aim import Aim
from core.protocol.setting_marks import Decides
from core.protocol.settings import deciding


class CheckKeeper:
    """The last passed check, with its open predicate: a run with equal settings need not repeat the check.

    If ``wanted`` is False, nothing is kept.
    """

    def __init__(self, wanted: bool) -> None:
        self.wanted = wanted
        self._kept: tuple[FinishedCheck, bytes] | None = None

    def keep(self, result: FinishedCheck, mark: bytes) -> None:
        """Keep ``result`` and drop the earlier one; ``mark`` is the digest of predicate, tools and scripts."""
        self.forget()
        self._kept = result, mark

    def take(self, aim: Aim, mark: bytes) -> FinishedCheck | None:
        """Return the kept result if a check with this aim would be equal; else drop the result."""
        kept = self._kept
        if kept is not None and kept[1] == mark and _decides(kept[0].aim) == _decides(aim):
            self._kept = None
            return kept[0]
        self.forget()
        return None

    def forget(self) -> None:
        """Drop the kept result."""
        kept, self._kept = self._kept, None
        if kept is not None:
            kept[0].predicate.close()


def _decides(aim: Aim) -> dict[str, Any]:
    return {name: aim.stored[name] for name in deciding(Decides.CHECK)}
