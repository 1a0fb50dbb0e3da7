"""The failures of a checked input, and which of them a reduction must keep."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from core.errors import UsageError
from core.evidence.failure import FailureReport, failure_report
from core.evidence.kinds_of_failures import one_of_each
from core.predicate.aim import demanded
from core.predicate.failure_kinds import FailureKinds
from core.predicate.failures import Statement
from core.service.preparation import Preparation


class InputFailures:
    """The failures that the full input shows, by the settings of its reductions. A reduction is for all wanted
    failures, or for one failure, called ``failure`` then.
    """

    def __init__(self, ready: Preparation) -> None:
        self._ready, self._outcome = ready, ready.outcome
        self.wanted, reference = ready.aim.demand, ready.predicate.reference
        self._kinds = reference.kinds if reference is not None else FailureKinds()
        self.of_missing_libraries: Mapping[str, str] = reference.libraries.certain if reference is not None else {}
        """The failures that certainly come from a missing library, each with its missing package."""
        beside = reference.of_libraries if reference is not None else ()
        self._beside = frozenset(map(self._kinds.of_name, beside)) if self._by_kind else frozenset()
        self._kept = self.wanted.without(beside) if self.wanted is not None else None

    @property
    def names(self) -> list[str]:
        """The failures of reductions for one each: the distinct failures of the full input, or one of each kind if
        kinds are wanted, sorted, without those of missing libraries. Raises UsageError if none has a name.
        """
        if not self._outcome.failures:
            raise UsageError(
                "The failures have no names, so there is nothing to tell apart: use a preset that names them, or "
                "--failures-as."
            )
        names = sorted(set(self._outcome.failures) - self.of_missing_libraries.keys())
        return sorted(self._of_kinds(self._all(None)._replace(failures=names)).failures) if self._by_kind else names

    def report(self, failure: str | None) -> FailureReport:
        """Return the wanted failures: where kinds are wanted, one of each."""
        found = self._all(failure)
        return found if failure is not None or not self._by_kind else self._of_kinds(found)

    def chosen(self, failure: str | None) -> tuple[str, ...]:
        """Return the failures chosen by name; none if the search is for others."""
        if failure is not None:
            return (failure,)
        wanted = self.wanted
        return wanted.chosen if wanted is not None and wanted.statement is Statement.CHOSEN else ()

    def new(self, names: Iterable[str]) -> list[str]:
        """Return the ``names`` of new kinds, which the full input does not show, each once; none if the full input was
        not run."""
        known = set(map(self._kinds.of_name, self._outcome.failures))
        named = dict.fromkeys(names) if known and self._ready.full_was_run else ()
        return [name for name in named if self._kinds.of_name(name) not in known]

    def of_libraries(self, names: Iterable[str]) -> list[str]:
        """Return the ``names`` of kinds that need not stay because they come from missing libraries, each once."""
        return [name for name in dict.fromkeys(names) if self._kinds.of_name(name) in self._beside]

    def kept(self, failure: str | None) -> int:
        """Return the number of failures that must stay."""
        if failure is not None:
            return 1
        return demanded(self._kept, self._outcome.failures, self._kinds.of_name)

    def together(self, report: FailureReport, failure: str | None) -> bool:
        """Return True if all failures of the report must stay."""
        must = demanded(self._kept, report.failures, self._kinds.of_name)
        return failure is None and must == len(set(report.failures))

    def _all(self, failure: str | None) -> FailureReport:
        """Return the report of one failure, or of all."""
        ready = self._ready
        return failure_report(ready.aim, self._outcome, ready.predicate.reference, failure, ready.context.work)

    def _of_kinds(self, found: FailureReport) -> FailureReport:
        """Return a report with one failure of each kind that must stay."""
        if self._kept is None:
            return found
        return one_of_each(self._ready.model, found, self._kept, self._kinds.of_name)

    @property
    def _by_kind(self) -> bool:
        return self.wanted is not None and self.wanted.by_kind
