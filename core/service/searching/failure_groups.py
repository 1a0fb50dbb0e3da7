"""Several failures that must all stay, in groups that are searched side by side: by where each of them shows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial

from core.evidence import failure as words
from core.evidence.failure import FailureReport
from core.evidence.mentions import ClassNames, outermost
from core.evidence.suggestions import Suggest, around_group, around_lost
from core.model.class_model import ClassModel
from core.predicate.output.declarations import FailurePlace
from core.search.territories import Blame


class FailureGroups:
    """The ``failures`` of the full input, one entry an occurrence, by the source file or the class that each names
    first; ``output`` and ``places`` are what its run told of them."""

    def __init__(
        self, model: ClassModel, failures: Sequence[str], output: str, places: Sequence[FailurePlace] = ()
    ) -> None:
        names = ClassNames(model)
        self._counts = Counter(failures)
        self._names, self._output, self._places = names, output, places
        found: dict[tuple[str, ...], list[str]] = {}
        for failure in sorted(self._counts):
            found.setdefault(words.home(names, failure) or (failure,), []).append(failure)
        self._groups = list(found.values())
        self._numbers = {name: number for number, home in enumerate(found) for name in home}

    @property
    def count(self) -> int:
        """Number of groups."""
        return len(self._groups)

    def suggests(self) -> list[Suggest]:
        """What each group points to."""
        found: list[Suggest] = []
        for group in self._groups:
            named = words.mentions(self._names, group, self._output, failed=False, places=self._places)
            heads = words.heads(self._names, group, self._output, self._places)
            found.append(partial(around_group, mentions=named, heads=heads))
        return found

    def shows(self, shown: Sequence[str]) -> list[bool]:
        """Of the failures that a candidate ``shown``: which groups are all there, each as often as it should be, and
        then whether there are no others."""
        counts = Counter(shown)
        lost = (self._counts - counts).keys()
        return [*(lost.isdisjoint(group) for group in self._groups), not counts - self._counts]

    def of(self, name: str) -> int:
        """The number of the group that shows in a class; one more where none does."""
        return self._numbers.get(outermost(name), len(self._groups))

    def blamed(self, shown: Sequence[str]) -> Blame:
        """The groups that are not all there, and those in whose classes others of the failures ``shown`` are; these
        alone where they may hide all of the rest."""
        others = Counter(shown) - self._counts
        homes = [words.home(self._names, failure) or ("",) for failure in others]
        guilty = {self.of(name) for home in homes for name in home}
        if self._counts.keys().isdisjoint(shown):
            return Blame(guilty, hidden=True)
        *there, _ = self.shows(shown)
        return Blame(guilty.union(number for number, whole in enumerate(there) if not whole))

    def others(self, shown: Sequence[str]) -> Suggest:
        """What those of the failures that a candidate ``shown`` point to which the full input has not."""
        new = sorted(Counter(shown) - self._counts)
        named = words.mentions(self._names, new, "", failed=False) if new else ()
        return partial(around_lost, mentions=(), lost=(), others=named)


def groups_of(model: ClassModel, known: FailureReport) -> FailureGroups | None:
    """The groups of failures of source files, if there are several. What a stack trace or a command's own words tell
    may be due to any class: of these there are none."""
    if not words.of_sources(known.failures):
        return None
    groups = FailureGroups(model, known.failures, known.output, known.places)
    return groups if groups.count > 1 else None
