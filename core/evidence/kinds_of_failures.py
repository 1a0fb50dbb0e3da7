"""The kinds of the failures of the full input, for each a rough estimate of what it needs, and one to begin with."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from core.evidence.failure import FailureReport, home
from core.evidence.mentions import ClassNames
from core.model.class_model import ClassModel
from core.predicate.condition import Reference
from core.predicate.failure_kinds import KindOf, LibraryFailures
from core.predicate.failures import Statement, Wanted
from core.predicate.output.declarations import FailurePlace
from core.protocol.wording import failures_text
from core.words import counted

Homes = Callable[[str], tuple[tuple[str, ...], int]]
"""Function from a failure to the outermost classes around it, and their bytes with what is nested in them: 0 for a
failure without a class."""


@dataclass(frozen=True)
class KindCost:
    """One kind of failure: its failures, the one with the smallest classes, and a rough estimate of its cost."""

    failures: tuple[str, ...]
    cheapest: str
    bytes: int
    """Bytes of the class that the cheapest failure is in, with the classes nested in it; 0 if it names none."""


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
        """The failure that is likely to need least, if several kinds must stay; empty if none is known. A possible
        failure of a missing library is not taken."""
        known = [kind for kind in self.kinds if kind.bytes and kind.cheapest not in self.doubted]
        several = self.wanted is not None and len(self.kinds) > 1
        return min(known, key=lambda kind: kind.bytes).cheapest if several and known else ""

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
        counts = f"{failures_text(failures, self.places, len(self.kinds))}: {how}."
        if not self.suggested:
            return counts
        least = next(kind.bytes for kind in self.kinds if self.suggested in kind.failures)
        one = "kind" if self.wanted.by_kind else "failure"
        alone = f"One {one} alone needs less; by a rough estimate “{self.suggested}” needs the least, classes of"
        if options:
            chosen = shlex.quote(f"chosen {self.suggested}")
            ways = f"--failures {chosen} reduces for it, --each makes a jar for each {one}."
        else:
            ways = f"“Keep this failure” reduces for it, “One jar per bug” makes a jar for each {one}."
        return f"{counts} {alone} {least:,} bytes: {ways}"


def costs(model: ClassModel, kinds: Mapping[str, Sequence[str]], places: Sequence[FailurePlace] = ()) -> list[KindCost]:
    """Return the costs of kinds, given with the names of their failures."""
    homes = _homes(model, places)
    found = []
    for names in kinds.values():
        size, cheapest = min(((homes(name)[1], name) for name in names), key=lambda each: (not each[0], each))
        found.append(KindCost(tuple(names), cheapest, size))
    return found


def found_kinds(
    model: ClassModel,
    wanted: Wanted | None,
    reference: Reference | None,
    failures: Sequence[str],
    of_libraries: LibraryFailures,
) -> FoundKinds:
    """Return the kinds of the ``failures`` of an interesting input, with the demand ``wanted`` if several must stay;
    nothing if failures do not decide, or without the ``reference`` of a run.
    """
    if wanted is None or reference is None:
        return FoundKinds()
    kinds = tuple(costs(model, Wanted().kept(failures, reference.kinds.of_name), reference.places))
    several = wanted.statement not in (Statement.ANY, Statement.CHOSEN)
    doubted = frozenset((*of_libraries.certain, *of_libraries.possible))
    beside = frozenset(reference.of_libraries) if wanted.by_kind else frozenset()
    return FoundKinds(kinds, len(failures), wanted if several else None, doubted, beside)


def one_of_each(model: ClassModel, report: FailureReport, wanted: Wanted, kind_of: KindOf) -> FailureReport:
    """Return a report with one failure of each wanted kind, in few and small places of the input."""
    kinds = wanted.kept(report.failures, kind_of)
    chosen = _cover(kinds, _homes(model, report.places))
    places = [place for place in report.places if place.failure in chosen]
    known = frozenset(map(kind_of, report.failures))
    return report._replace(failures=chosen, places=places, kind_of=kind_of, known=known)


def _cover(kinds: Mapping[str, Sequence[str]], homes: Homes) -> tuple[str, ...]:
    """Return one failure of each kind: greedily from the place with the fewest bytes a kind."""
    places: dict[tuple[str, ...], dict[str, str]] = {}
    for kind, failures in kinds.items():
        for failure in failures:
            places.setdefault(homes(failure)[0] or (failure,), {}).setdefault(kind, failure)
    found: dict[str, str] = {}
    while len(found) < len(kinds):
        left = {place: own.keys() - found.keys() for place, own in places.items()}
        best = min(
            (place for place, own in left.items() if own),
            key=lambda place: (homes(next(iter(places[place].values())))[1] / len(left[place]), place),
        )
        found |= {kind: places[best][kind] for kind in left[best]}
    return tuple(sorted(found.values()))


def _homes(model: ClassModel, places: Sequence[FailurePlace]) -> Homes:
    names, paths = ClassNames(model), {place.failure: place.path for place in places}

    @cache
    def home_of(failure: str) -> tuple[tuple[str, ...], int]:
        classes = home(names, failure, paths)
        return classes, sum(names.size(each) for name in classes for each in names.family(name))

    return home_of
