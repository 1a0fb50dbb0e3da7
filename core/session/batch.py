"""Many reductions that a file lists: read, run wherever an executor runs them, summed up.

The file is TOML. Keys before the first ``[[job]]`` are defaults for all jobs: any field of
:class:`core.session.settings.Settings`. Each ``[[job]]`` has ``input`` (a path, or several), ``output`` (else
``NAME-reduced.jar``), ``report`` (else beside the output, ``.json``), ``name`` (else the output's) and settings of its
own. Paths, and those within commands, begin at the file's folder.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.errors import InputError, UsageError
from core.run.executors import INTERRUPTED, Executor
from core.run.report import probes_of
from core.session.job import DONE, FAILED, LIMIT, NOT_INTERESTING, Done, Job, read_done
from core.session.settings import Settings

_OWN = ("name", "input", "output", "report")
_EXCLUSIVE = ("predicate", "preset")

SEVERITY = (INTERRUPTED, FAILED, NOT_INTERESTING, LIMIT, DONE)
"""Exit codes of jobs, worst first: that of the batch is the worst of its jobs'."""


@dataclass(frozen=True)
class Batch:
    """The jobs of a file in their order, and the folder that their relative paths begin at."""

    folder: Path
    jobs: tuple[Job, ...]

    def run(self, executor: Executor, told: Callable[[int, Done], None]) -> list[Done]:
        """Runs all jobs; what came of them, in their order. ``told`` hears of each end: how many there were, and it."""
        tasks = [job.task(self.folder) for job in self.jobs]
        found: dict[str, Done] = {}
        for ended in executor.run(tasks):
            found[ended.name] = read_done(ended)
            told(len(found), found[ended.name])
        return [found[job.name] for job in self.jobs]

    def to_json(self, ends: Sequence[Done]) -> dict[str, Any]:
        """What came of the jobs, for machines: bytes unpacked, seconds."""
        return {
            "schema": 1,
            "exit": exit_code(ends),
            "jobs": [_row(job, done) for job, done in zip(self.jobs, ends, strict=True)],
        }


def load(path: Path) -> Batch:
    """Reads a file. Raises InputError when it cannot be read, UsageError that names the job for what is wrong in it."""
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error}).") from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
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
            raise UsageError(f"{path}: job {number} ({row.get('name') or row.get('input')}): {error}") from error
    _refuse_clashes(path, jobs)
    return Batch(folder, tuple(jobs))


def exit_code(ends: Sequence[Done]) -> int:
    """The worst of the jobs' exit codes; a job that died counts as failed."""
    codes = {done.exit if done.exit in SEVERITY else FAILED for done in ends}
    return next((code for code in SEVERITY if code in codes), DONE)


def _job(row: Mapping[str, Any], defaults: Mapping[str, Any], folder: Path) -> Job:
    names = row.get("input", ())
    inputs = [names] if isinstance(names, str) else list(names)
    if not inputs or not all(isinstance(name, str) for name in inputs):
        raise UsageError("It has no input: input = 'app.jar', or a list of paths.")
    output = row.get("output") or f"{Path(inputs[0]).stem}-reduced.jar"
    if not all(isinstance(row.get(key, ""), str) for key in ("name", "output", "report")):
        raise UsageError("Its name, output and report must be texts.")
    values = {key: value for key, value in row.items() if key not in _OWN}
    # whoever says what the failure is, says all of it
    inherited = {
        key: value
        for key, value in defaults.items()
        if not (key in (*_EXCLUSIVE, "options") and values.keys() & set(_EXCLUSIVE))
    }
    values = inherited | values
    if isinstance(values.get("classpath"), list):
        values["classpath"] = [str(folder / part) for part in values["classpath"]]
    place = folder / output
    return Job(
        name=row.get("name") or Path(output).stem,
        inputs=tuple(folder / name for name in inputs),
        output=place,
        report=folder / row["report"] if row.get("report") else place.with_suffix(".json"),
        settings=Settings.from_json(values),
    )


def _refuse_clashes(path: Path, jobs: Sequence[Job]) -> None:
    """Files that two jobs would write, or that one writes and another reads, and names that two have."""
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
