"""Many reductions that a file lists: read, run wherever an executor runs them, summed up.

The file is TOML. Keys before the first ``[[job]]`` are defaults for all jobs: any field of
:class:`core.protocol.settings.Settings`. Each ``[[job]]`` has ``input`` (a path, or several), ``output`` (else
``NAME-reduced.jar``), ``report`` (else beside the output, ``.json``), ``name`` (else the output's), ``nested`` (true:
jars inside the input are opened; a default, too) and settings of its own. Paths, and those within commands, begin at
the file's folder.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core import values as check
from core.archive.jar_folders import end_of
from core.archive.named_inputs import find, placed_at
from core.batch.executors import Executor
from core.batch.job import Job
from core.batch.tasks import Done, worst
from core.errors import InputError, UsageError
from core.protocol.settings import Settings
from core.report.reduction_report import probes_of
from core.service.aims import aim_of
from core.service.meaning import understood
from core.service.reads import all_read, report_output, result_outputs
from core.system.outputs import Origin, Output, guard
from core.version import VERSION
from core.words import cut

_OWN = ("name", "input", "output", "report")
_EXCLUSIVE = ("predicate", "preset")
_SHOWN_CHARS = 80


@dataclass(frozen=True)
class Batch:
    """The jobs of a file in their order, and the folder that their relative paths begin at."""

    folder: Path
    jobs: tuple[Job, ...]

    def run(self, executor: Executor, on_end: Callable[[int, Done], None]) -> list[Done]:
        """Run all jobs and return their results, in their order. ``on_end`` gets the number of ends so far and the last
        end."""
        found: dict[str, Done] = {}
        for done in executor.run(job.task(self.folder) for job in self.jobs):
            found[done.name] = done
            on_end(len(found), done)
        return [found[job.name] for job in self.jobs]

    def to_json(self, ends: Sequence[Done]) -> dict[str, Any]:
        """Return the results of the jobs, for machines: bytes unpacked, seconds."""
        return {
            "schema": 1,
            "tool": {"name": "jarlet", "version": VERSION},
            "exit": worst(done.exit for done in ends),
            "jobs": [_row(job, done) for job, done in zip(self.jobs, ends, strict=True)],
        }


def load(path: Path) -> Batch:
    """Read a file. Raise InputError for an unreadable file, UsageError with the job's name for a mistake in it."""
    try:
        with InputError.telling(f"{path}: cannot be read"):
            values = tomllib.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:  # also of numbers with thousands of digits
        raise InputError(f"{path}: this is not TOML: {error}.") from error
    folder = path.absolute().parent
    rows = values.pop("job", [])
    if not isinstance(rows, list) or not rows or not all(isinstance(row, dict) for row in rows):
        raise UsageError(f"{path}: there are no jobs in it. Begin each with [[job]], and name its input.")
    jobs = []
    for number, row in enumerate(rows, 1):
        try:
            jobs.append(_job(row, values, folder))
        except UsageError as error:
            name = cut(str(row.get("name") or row.get("input")), _SHOWN_CHARS)
            raise UsageError(f"{path}: job {number} ({name}): {error}") from error
    _refuse_clashes(path, jobs)
    return Batch(folder, tuple(jobs))


def guard_all(batch: Batch, file: Path, results: Path) -> None:
    """Refuse forbidden and impossible outputs of the jobs, before the first job runs.

    ``file`` lists the jobs, ``results`` is to list their results. Raises UsageError and OutputError.
    """
    sources, outputs = [Origin(file, "the batch file")], [report_output(results, "--results")]
    for job in batch.jobs:
        aim = aim_of(job.settings)
        sources += all_read(job.inputs, aim, batch.folder)
        outputs += [
            *result_outputs(
                job.output,
                f"the output of job {job.name}",
                find(job.inputs),
                aim.search.rename,
                aim.lines,
                parents=True,
            ),
            report_output(job.report, f"the report of job {job.name}", parents=True),
            Output(job.session, f"the session of job {job.name}", folder=True),
        ]
    guard(outputs, sources)


def _job(row: Mapping[str, Any], defaults: Mapping[str, Any], folder: Path) -> Job:
    names = row.get("input", ())
    inputs = check.texts("input", [names] if isinstance(names, str) else names)
    if not all(inputs) or not inputs:
        raise UsageError("It has no input: input = 'app.jar', or a list of paths.")
    for key in ("name", "output", "report"):
        check.text(key, row.get(key, ""))
    places = tuple(Path(placed_at(name, lambda place: str(folder / place))) for name in inputs)
    output = row.get("output") or f"{places[0].stem}-reduced{end_of(find(places))}"
    if Path(output).name in ("", ".."):
        raise UsageError(f"Its output {output!r} is not the name of a file.")
    values = {key: value for key, value in row.items() if key not in _OWN}
    # whoever says what the failure is, says all of it
    inherited = {
        key: value
        for key, value in defaults.items()
        if not (key in (*_EXCLUSIVE, "options") and values.keys() & set(_EXCLUSIVE))
    }
    values = inherited | values
    nested = check.conform("nested", values.pop("nested", False), bool)
    if "classpath" in values:
        values["classpath"] = [str(folder / part) for part in check.texts("classpath", values["classpath"])]
    place = folder / output
    if not place.name:
        raise UsageError(f"Its output {output!r} is not the name of a file.")
    return Job(
        name=row.get("name") or Path(output).stem,
        inputs=places,
        output=place,
        report=folder / row["report"] if row.get("report") else place.with_suffix(".json"),
        settings=understood(Settings.from_json(values)),
        nested=nested,
    )


def _refuse_clashes(path: Path, jobs: Sequence[Job]) -> None:
    """Refuse an output, a session or a name of two jobs, and an output that is another job's input."""
    inputs = {name for job in jobs for name in job.inputs}
    seen: set[object] = set()
    for job in jobs:
        for thing, what in ((job.name, "named"), (job.output, "written to"), (job.session, "used as a session")):
            if thing in seen:
                raise UsageError(f"{path}: {thing} is {what} by two jobs: give each a name and an output of its own.")
            seen.add(thing)
        if job.output in inputs:
            raise UsageError(f"{path}: {job.output} is the output of job {job.name} and the input of a job.")


def _row(job: Job, done: Done) -> dict[str, Any]:
    row: dict[str, Any] = {
        "name": job.name,
        "state": done.state,
        "exit": done.exit,
        "before": done.before,
        "message": done.message,
        "inputs": [str(name) for name in job.inputs],
        "output": str(job.output),
        "report": str(job.report),
    }
    if done.report is not None:
        sizes = {key: {part: done.report[key][part] for part in ("bytes", "classes")} for key in ("input", "output")}
        row |= {"from": sizes["input"], "to": sizes["output"]}
        row |= {"probes": probes_of(done.report), "seconds": done.report["seconds"]["total"]}
    return row
