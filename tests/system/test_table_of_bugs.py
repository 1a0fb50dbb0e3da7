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
    with contextlib.closing(Workspace([].append, tmp_path / "work")) as workspace:
        workspace.open([str(sample_jar)])
        (results, _), jar = workspace.reduce_each(settings, tmp_path / "each"), workspace.opened.jar

    def bugs(*reasons):
        ended = [
            replace(row, found=replace(row.found, reduction=replace(row.found.reduction, reason=reason)))
            for row, reason in zip(results, reasons, strict=True)
        ]
        found = bugs_of_results(ended, settings, tmp_path / "each", jar, known=None)
        return sorted(failure.failure for bug in found for failure in bug.failures)

    assert bugs(EndReason.DONE, EndReason.PROBES) == ["Interval", "Rational"]
    assert bugs(EndReason.DONE, EndReason.TIME) == ["Interval"]
    assert bugs(EndReason.STOPPED, EndReason.DONE) == ["Rational"]


def test_an_error_in_one_reduction_is_its_row_and_does_not_end_the_others(jarlet, sample_jar, tmp_path):
    folder = tmp_path / "each"
    script = tmp_path / "names.sh"
    # the folder of results is there once the check is over: a folder stands where the first jar is to be written
    script.write_text(
        f"test -d {folder} && mkdir -p {folder}/1.jar\ngrep -aoE 'sample/number/(Rational|Interval)[.]class' $1\n"
    )
    done = jarlet(
        "reduce", sample_jar, "--predicate", f"sh {script} {{jar}}", "--failures-as", "(Rational|Interval)",
        "--failures", "at least", "--preserve", "exit", "--algorithm", "binary", "--granularity", "class",
        "--each", "-o", "each", "-q",
    )  # fmt: skip
    assert done.returncode == 2, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0].startswith("Interval: not reduced: ")
    assert "1.jar" in lines[0]
    assert lines[1].startswith("each/2.jar: 1 class, ")
    assert (folder / "2.json").is_file()
    assert not (folder / "1.json").exists()
