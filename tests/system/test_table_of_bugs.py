"""The table of bugs after a reduction for each failure."""

import contextlib
from dataclasses import replace

from core.protocol.run_words import EndReason
from core.protocol.settings import Settings
from core.service.bugs_of_results import bugs_of_results
from core.service.workspace import Workspace

COMMAND = "grep -aoE 'sample/number/(Rational|Interval)[.]class' {jar}"
"""Names the entries of a jar, which stand in it as they are."""


def test_a_result_whose_search_was_cut_short_is_left_out(sample_jar, tmp_path):
    settings = Settings(
        predicate=COMMAND,
        failures_as="(Rational|Interval)",
        failures="at least",
        preserve=("exit",),
        algorithm="binary",
        granularity="class",
    )
    with contextlib.closing(Workspace([].append, tmp_path / "work")) as session:
        session.open([str(sample_jar)])
        (results, _), jar = session.reduce_each(settings, tmp_path / "each"), session.opened.jar

    def bugs(*reasons):
        ended = [
            (failure, replace(found, reduction=replace(found.reduction, reason=reason)))
            for (failure, found), reason in zip(results, reasons, strict=True)
        ]
        found = bugs_of_results(ended, settings, tmp_path / "each", jar)
        return sorted(failure.failure for bug in found for failure in bug.failures)

    assert bugs(EndReason.DONE, EndReason.PROBES) == ["Interval", "Rational"]
    assert bugs(EndReason.DONE, EndReason.TIME) == ["Interval"]
    assert bugs(EndReason.STOPPED, EndReason.DONE) == ["Rational"]
