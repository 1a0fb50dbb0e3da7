"""The kinds of the wanted failures, and for each the failure that is likely to need least of the input."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from core.evidence.failure import FailureReport, home
from core.evidence.mentions import ClassNames
from core.model.class_model import ClassModel
from core.predicate.failure_kinds import KindOf
from core.predicate.failures import Wanted


@dataclass(frozen=True)
class KindCost:
    """One kind of failure: its failures, the one with the smallest classes, and a rough estimate of its cost."""

    failures: tuple[str, ...]
    cheapest: str
    bytes: int
    """Bytes of the class that the cheapest failure is in, with the classes nested in it; 0 if it names none."""


def costs(model: ClassModel, kinds: Mapping[str, Sequence[str]]) -> list[KindCost]:
    """Return the costs of kinds, given with the names of their failures."""
    bytes_of = _bytes_of_homes(model)
    found = []
    for names in kinds.values():
        cheapest = min(names, key=lambda name: (not bytes_of(name), bytes_of(name), name))
        found.append(KindCost(tuple(names), cheapest, bytes_of(cheapest)))
    return found


def one_of_each(model: ClassModel, report: FailureReport, wanted: Wanted, kind_of: KindOf) -> FailureReport:
    """Return a report with one failure of each wanted kind, in few and small places of the input."""
    kinds = wanted.kept(report.failures, kind_of)
    chosen = _cover(kinds, _bytes_of_homes(model), ClassNames(model))
    places = [place for place in report.places if place.failure in chosen]
    known = frozenset(map(kind_of, report.failures))
    return report._replace(failures=chosen, places=places, kind_of=kind_of, known=known)


def _cover(kinds: Mapping[str, Sequence[str]], bytes_of: Callable[[str], int], names: ClassNames) -> tuple[str, ...]:
    """Return one failure of each kind: greedily from the place with the fewest bytes a kind."""
    places: dict[tuple[str, ...], dict[str, str]] = {}
    for kind, failures in kinds.items():
        for failure in failures:
            places.setdefault(home(names, failure) or (failure,), {}).setdefault(kind, failure)
    found: dict[str, str] = {}
    while len(found) < len(kinds):
        left = {place: own.keys() - found.keys() for place, own in places.items()}
        best = min(
            (place for place, own in left.items() if own),
            key=lambda place: (bytes_of(next(iter(places[place].values()))) / len(left[place]), place),
        )
        found |= {kind: places[best][kind] for kind in left[best]}
    return tuple(sorted(found.values()))


def _bytes_of_homes(model: ClassModel) -> Callable[[str], int]:
    """Return a function that gives the bytes of the classes around a failure; 0 for a failure that names none."""
    names, sizes = ClassNames(model), {item.name: item.bytes for item in model.items}

    def bytes_of(failure: str) -> int:
        return sum(sizes[each] for name in home(names, failure) for each in names.family(name))

    return bytes_of
