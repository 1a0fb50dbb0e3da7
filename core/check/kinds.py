"""The kinds of the failures that a check found, a rough estimate of what each needs, and one to begin with."""

from __future__ import annotations

import shlex
from dataclasses import dataclass

from core.check.check_state import CheckState
from core.evidence.kinds_of_failures import KindCost, costs
from core.evidence.lack import without_libraries
from core.predicate.failures import Statement, Wanted
from core.predicate.from_settings import demand
from core.words import counted


@dataclass(frozen=True)
class FoundKinds:
    """The kinds of failures of the full input, in the order of their first failures, and the demand on them."""

    kinds: tuple[KindCost, ...] = ()
    places: int = 0
    """Number of failures, each as often as it comes."""
    wanted: Wanted | None = None
    """The demand on the failures where several must stay; None where one is enough."""
    doubted: frozenset[str] = frozenset()
    """Failures that may only show because a library is missing."""
    of_libraries: frozenset[str] = frozenset()
    """Failures of the kinds that need not stay, since they come from missing libraries."""

    @property
    def suggested(self) -> str:
        """The failure that is likely to need least, where several kinds must stay; empty where none is known. A failure
        that a missing library may make is not taken."""
        known = [kind for kind in self.kinds if kind.bytes and kind.cheapest not in self.doubted]
        known = known if self.wanted is not None else []
        return min(known, key=lambda kind: kind.bytes).cheapest if len(self.kinds) > 1 and known else ""

    def numbers(self) -> dict[str, int]:
        """Return the number of each failure's kind, from 0."""
        return {name: number for number, kind in enumerate(self.kinds) for name in kind.failures}

    def text(self, *, options: bool) -> str:
        """Return sentences about several failures: how many of how many kinds, and which alone would need least.

        ``options``: True if the sentences name options of the command line.
        """
        if self.wanted is None or self.places < 2:
            return ""
        how = "each must stay as often" if self.wanted.statement is Statement.SAME else "all must stay"
        how = "one of each kind must stay" if self.wanted.by_kind else how
        beside = sum(self.of_libraries.issuperset(kind.failures) for kind in self.kinds)
        if beside:
            come = "comes" if beside == 1 else "come"
            how += f", but for {counted(beside, 'kind')} that {come} from missing libraries"
        failures = sum(len(kind.failures) for kind in self.kinds)
        places = f" at {self.places} places" if self.places > failures else ""
        counts = f"{counted(failures, 'failure')} of {counted(len(self.kinds), 'kind')}{places}: {how}."
        if not self.suggested:
            return counts
        least = next(kind.bytes for kind in self.kinds if self.suggested in kind.failures)
        doing = f"--failures {shlex.quote(f'chosen {self.suggested}')}" if options else f"{self.suggested} (Failures)"
        alone = f"One alone needs less: the least by a rough estimate, in classes of {least:,} bytes, {doing}."
        one = "kind" if self.wanted.by_kind else "failure"
        return f"{counts} {alone} {'--each' if options else 'One jar per bug'} makes a jar for each {one}."


def kinds_found(state: CheckState) -> FoundKinds:
    """Return the kinds of failures of an interesting input, with the demand where several must stay."""
    wanted, reference = demand(state.settings), state.predicate.reference
    if wanted is None or reference is None or state.substitute is not None or not state.interesting:
        return FoundKinds()
    names = state.outcome.failures
    kinds = tuple(costs(state.model, Wanted().kept(names, reference.kinds.of_name)))
    several = wanted.statement not in (Statement.ANY, Statement.CHOSEN)
    doubted = frozenset(without_libraries(names, state.model))
    beside = frozenset(reference.of_libraries) if wanted.by_kind else frozenset()
    return FoundKinds(kinds, len(names), wanted if several else None, doubted, beside)
