"""The trial of a bug folder's script in an empty place: does it show the failure, and does an empty jar not?"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event as Flag
from typing import Any

from core.archive.packer import Packer
from core.errors import JarletError
from core.predicate import process
from core.predicate.condition import Condition, Reference
from core.predicate.failures import FailureNaming
from core.predicate.output.kinds import KINDS
from core.predicate.several.differ import DifferPredicate, disagreements
from core.renaming import Renaming
from core.report.private_places import told_elsewhere, with_any_folders
from core.report.reproduction import SCRIPT, SMALL, Reproduction
from core.report.sign import of_commands
from core.service.aims import aim_in
from core.system.removal import remove
from core.system.work_folder import temporary_folder

_KEPT_VARIABLES = ("PATH", "HOME", "LANG", "LC_ALL", "JAVA_TOOL_OPTIONS", "DISPLAY")
"""Environment variables that a stranger's shell has too."""


_UNSHARE = ("unshare", "--user", "--map-root-user", "--mount")
_HIDE = 'while [ "$1" != -- ]; do mount -t tmpfs none "$1" || exit 2; shift; done; shift; exec "$@"'
"""Shell script that runs a command with some folders empty, in name spaces of its own."""


@dataclass(frozen=True, slots=True)
class Tried:
    """The result of a trial of the folder's script in an empty place: a sentence, and True if the failure showed."""

    message: str
    shown: bool = False


_UNTRIED = Tried("Not verified: the time was over, or the trial was stopped, before the script ended.")


def tried(
    folder: Path, made: Reproduction, report: Mapping[str, Any], renaming: Renaming, seconds: float, end: Flag
) -> Tried:
    """Run the script of a copy of the folder in an empty place, for at most ``seconds``; then on an empty jar. The
    original folders of the copied files are hidden if the system can do that. Return the result. The flag ``end`` ends
    the trial."""
    hidden = _own_folders(made)
    found = _tried(folder, made, report, renaming, seconds, end, hidden)
    if found.shown or not hidden or not _tried(folder, made, report, renaming, seconds, end, []).shown:
        return found
    names = ", ".join(map(str, hidden))
    return Tried(
        f"Warning: the script shows what is wanted only where {names} is: it reads a file there. {found.message}"
    )


def _own_folders(made: Reproduction) -> list[Path]:
    """Return the original folders of the copied files, except those that hold a tool; nothing if the system cannot hide
    folders."""
    if (
        shutil.which("unshare") is None
        or subprocess.run([*_UNSHARE, "true"], capture_output=True, check=False).returncode
    ):
        return []
    kept = [tempfile.gettempdir(), *made.variables.values(), *os.environ.get("PATH", "").split(os.pathsep)]
    real = [Path(os.path.realpath(each)) for each in kept]
    folders = {Path(os.path.realpath(path.parent)) for path in made.copied.places.values()}
    found = {each for each in folders if not any(path.is_relative_to(each) for path in real)}
    return sorted(each for each in found if found.isdisjoint(each.parents))


def _tried(
    folder: Path,
    made: Reproduction,
    report: Mapping[str, Any],
    renaming: Renaming,
    seconds: float,
    end: Flag,
    hidden: Sequence[Path],
) -> Tried:
    """Return the result of a trial with some folders empty. The script gets only the basic variables of this process
    and those with the places of tools."""
    if end.is_set():
        return _UNTRIED
    try:
        with temporary_folder() as place:
            copy, home = place / "copy", place / "temporary"
            shutil.copytree(folder, copy)
            home.mkdir()
            environment = {name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ}
            environment |= {**made.variables, "TMPDIR": str(home), "JARLET_REPORT": str(place)}
            words = [*_UNSHARE, "/bin/sh", "-c", _HIDE, "sh", *map(str, hidden), "--"] if hidden else []
            words += ["/bin/sh", str(copy / SCRIPT)]
            launch = process.Launch(words, copy, environment, f"JARLET_REPORT={place}")
            try:
                result = process.run(launch, seconds, end)
                (copy / SMALL).write_bytes(b"".join(Packer().pack([])))
                of_nothing = process.run(launch, seconds, end)
            finally:
                remove(home)
    except (JarletError, OSError) as error:
        return Tried(f"Warning: the script could not be tried: {error}")
    if result.cancelled or of_nothing.cancelled:
        return _UNTRIED
    if result.timed_out:
        return Tried(f"Warning: the script was tried for {seconds:.0f} s and did not end.")
    result, seen = of_commands(result, report["final"]["exit"])
    problem = _objection(report, result, _work_of(result, home), renaming)
    problem = problem or ("" if seen else "its last line says so")
    if not problem and of_nothing.exit == 0 and not of_nothing.timed_out:
        return Tried(
            "Warning: the script shows what is wanted, and says the same of an empty jar: it compares nothing that "
            "an empty jar lacks. Look at its output yourself, or name a text of the failure with --match."
        )
    if not problem:
        return Tried("Verified: run in an empty folder, the script shows what is wanted.", shown=True)
    return Tried(f"Warning: run in an empty folder, the script does not show what is wanted ({problem}).")


def _work_of(result: process.ProcessResult, home: Path) -> str:
    """Return the folder of the command's run, if the output names it; else a text that occurs nowhere."""
    found = re.search(re.escape(f"{home}/") + r"tmp\.\w+", f"{result.stdout.text}\n{result.stderr.text}")
    return found[0] if found else "\0"


def _objection(report: Mapping[str, Any], result: process.ProcessResult, folder: str, renaming: Renaming) -> str:
    """Return the reason why the output of the script, run in a folder, is not the failure of the report; empty if it
    is. The report has the names of failures as the full input has them; ``renaming`` has the changes of names since.
    """
    aim, final = aim_in(report), report["final"]
    if aim.condition.hangs:
        return ""  # the script's last line tells
    wanted = [told_elsewhere(name) for name in final["failures"]]
    out, err = (told_elsewhere(part.text.replace(folder, "{work}")) for part in (result.stdout, result.stderr))
    text = f"{out}\n{err}"
    if aim.preset is not None:
        predicate = aim.predicate(None)
        try:
            if isinstance(predicate, DifferPredicate):
                seen = _shows_difference(predicate, text, wanted, renaming)
                return "" if seen else "no disagreement was seen"
            reading = aim.preset.reading
        finally:
            predicate.close()
        if reading is None:
            return "" if result.exit == final["exit"] else f"exit code {result.exit}, was {final['exit']}"
        missing = set(wanted) - set(renaming.read_back(reading.names(text, result.exit), wanted))
        return f"no {sorted(missing)[0]!r}" if missing else ""
    condition = aim.condition
    steady = Condition(
        condition.preserve & {"exit"},
        condition.expect_exit,
        _anywhere(condition.match),
        _anywhere(condition.no_match),
        condition.reading,
        condition.wanted,
    )
    names = condition.reading.names(text, result.exit) if condition.reading is not None else ()
    reference = Reference(final["exit"] or 0, "", "", tuple(wanted) or names)
    outcome = steady.judge(replace(result, stdout=_stream(out), stderr=_stream(err)), reference, folder, renaming)
    return "" if outcome.interesting else outcome.detail


def _stream(text: str) -> process.Stream:
    made = process.Stream()
    made.add(text.encode())
    return made


def _anywhere(pattern: str | None) -> str | None:
    """Return a pattern of the user's that matches in an output with file names in the place of paths."""
    return pattern and r"\S*".join(with_any_folders(pattern))


def _shows_difference(predicate: DifferPredicate, text: str, failures: Sequence[str], renaming: Renaming) -> bool:
    """Return True if the outputs of the two tools disagree as the report says."""
    _, _, parts = text.partition("== first: ")
    one, mark, other = parts.partition("== second: ")
    if not mark:
        return False
    if any(name.startswith(("exit code: ", "standard ")) for name in failures):
        return one.partition("\n")[2].strip() != other.partition("\n")[2].strip()
    read = FailureNaming(tuple(KINDS))
    found = disagreements(read.names(one), read.names(other), predicate.titles)
    return set(failures) <= set(renaming.read_back(found, failures))
