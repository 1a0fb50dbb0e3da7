"""The wanted failures by site, from the run of the full input."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from core.classfile.descriptors import outermost
from core.evidence import failure as words
from core.evidence.failure import FailureReport
from core.evidence.mentions import ClassNames
from core.evidence.suggestions import Suggest, around_others, around_site
from core.model.class_model import ClassModel
from core.predicate.output import javac
from core.predicate.output.messages import uncoloured
from core.search.sites import Shown
from core.sets import listed_by


class FailureSites:
    """The sites of the wanted failures of a report, which lists each failure as often as it is wanted.

    The site of a failure is the source file, or else the class, that its text names first. A failure that names none is
    a site of its own.
    """

    def __init__(self, model: ClassModel, report: FailureReport) -> None:
        self._names, self._report = ClassNames(model), report
        home = partial(words.home, self._names)
        found = listed_by(lambda failure: home(failure) or (failure,), sorted(set(report.failures)))
        self._failures = list(found.values())
        """The failures of each site."""
        self._numbers = {name: number for number, classes in enumerate(found) for name in classes}

    @property
    def count(self) -> int:
        """Number of sites."""
        return len(self._failures)

    def site_of(self, name: str) -> int:
        """Return the number of the site of a class, or ``count`` if the class belongs to none."""
        return self._numbers.get(outermost(name), self.count)

    def shown(self, failures: Sequence[str]) -> Shown:
        """Return the sites of lost failures and of unwanted failures of a candidate."""
        missing, others = set(self._report.lost(failures)), self._report.new(failures)
        lost = frozenset(site for site, own in enumerate(self._failures) if not missing.isdisjoint(own))
        classes = [name for failure in others for name in words.home(self._names, failure) or ("",)]
        return Shown(lost, frozenset(map(self.site_of, classes)), hidden=not self._report.shown(failures))

    def around(self) -> list[Suggest]:
        """Return for each site the suggestion around its failures."""
        sites = {failure: site for site, failures in enumerate(self._failures) for failure in failures}
        errors = listed_by(lambda one: sites.get(one.error.name), javac.placed(uncoloured(self._report.output)))
        places = listed_by(lambda place: sites.get(place.failure), self._report.places)
        found: list[Suggest] = []
        for site, own in enumerate(self._failures):  # thousands of failures are at hundreds of sites
            text = "\n".join(one.text for one in errors.get(site, ()))
            report = FailureReport(own, text, places=places.get(site, ()))
            named, heads = words.mentions(self._names, report), words.heads(self._names, report)
            found.append(partial(around_site, mentions=named, heads=heads, several=len(own) > 1))
        return found

    def around_others(self, failures: Sequence[str]) -> Suggest:
        """Return the suggestion around the unwanted failures of a candidate."""
        new = sorted(self._report.new(failures))
        named = words.mentions(self._names, FailureReport(new)) if new else ()
        return partial(around_others, others=named)


def failure_sites(model: ClassModel, report: FailureReport) -> FailureSites | None:
    """Return the sites of failures in source files; None if all are at one site.

    Also None for stack traces and for the output of a user's command, because any class may be their cause.
    """
    if not all(map(words.OF_FILE.match, report.failures)):
        return None
    sites = FailureSites(model, report)
    return sites if sites.count > 1 else None
