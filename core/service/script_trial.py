"""The trial of a bug folder's script in an empty place: does it show the failure, and does an empty jar not?"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Event as Flag

from core.archive.packer import Packer
from core.errors import JarletError
from core.predicate import process
from core.report.reproduction import SCRIPT, SMALL, Reproduction
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


def tried(folder: Path, made: Reproduction, seconds: float, end: Flag) -> Tried:
    """Run the script of a copy of the folder in an empty place, for at most ``seconds``; then on an empty jar. The
    original folders of the copied files are hidden if the system can do that. Return the result, as the script itself
    tells it. The flag ``end`` ends the trial."""
    hidden = _own_folders(made)
    found = _tried(folder, made, seconds, end, hidden)
    if found.shown or not hidden or not _tried(folder, made, seconds, end, []).shown:
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


def _tried(folder: Path, made: Reproduction, seconds: float, end: Flag, hidden: Sequence[Path]) -> Tried:
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
    if result.exit:
        said = result.stderr.text.strip().rpartition("\n")[2].removesuffix(".") or f"exit code {result.exit}"
        return Tried(f"Warning: run in an empty folder, the script does not show what is wanted ({said}).")
    if of_nothing.exit == 0 and not of_nothing.timed_out:
        return Tried(
            "Warning: the script shows what is wanted, and says the same of an empty jar: it compares nothing that "
            "an empty jar lacks. Look at its output yourself, or name a text of the failure with --match."
        )
    return Tried("Verified: run in an empty folder, the script shows what is wanted.", shown=True)
