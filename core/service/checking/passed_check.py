"""The last check that passed: what begins with the same settings need not repeat it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from core.predicate.predicate import Predicate
from core.predicate.verdict import Outcome
from core.protocol.events import Checked
from core.protocol.setting_marks import Decides
from core.protocol.settings import Settings, deciding
from core.reduction.probing.pace import LEAST, LEAST_RESIDENT, limit_for


@dataclass(frozen=True, eq=False)
class PassedCheck:
    """A check with what it was about; ``mark`` is the fingerprint's digest of predicate, tools and scripts.

    ``predicate`` compares with the run on the full input and is still open: whoever puts the check away closes it.
    """

    settings: Settings
    mark: bytes
    predicate: Predicate
    checked: Checked
    outcome: Outcome
    seconds: float
    """Wall time of the check."""
    jobs: int = 1
    """Runs at a time that this machine is good for."""

    def covers(self, settings: Settings, mark: bytes) -> bool:
        """Whether a check with these settings would do the same again."""
        return mark == self.mark and _decides(settings) == _decides(self.settings)

    def limited(self, jobs: int) -> Predicate:
        """The predicate with the time limit for so many probes at a time."""
        least = LEAST_RESIDENT if getattr(self.predicate, "warm", False) else LEAST
        return self.predicate.limited(self.settings.timeout or limit_for(self.checked.slowest, least, jobs))


class CheckKeeper:
    """Keeps one passed check with its open predicate; without ``wanted`` none is kept."""

    def __init__(self, wanted: bool) -> None:
        self.wanted = wanted
        self._passed: PassedCheck | None = None

    def keep(self, passed: PassedCheck) -> None:
        """Another one takes the place of what was kept."""
        if self._passed is not None and self._passed is not passed and self._passed.predicate is not passed.predicate:
            self._passed.predicate.close()
        self._passed = passed

    def take(self, settings: Settings, mark: bytes) -> PassedCheck | None:
        """The kept check if it covers these settings, now the caller's; else it is put away."""
        passed, self._passed = self._passed, None
        if passed is not None and not passed.covers(settings, mark):
            passed.predicate.close()
            return None
        return passed

    def forget(self) -> None:
        """Another input, or the end."""
        passed, self._passed = self._passed, None
        if passed is not None:
            passed.predicate.close()


def _decides(settings: Settings) -> dict[str, Any]:
    values = settings.to_json()
    return {name: values[name] for name in deciding(Decides.CHECK)}
