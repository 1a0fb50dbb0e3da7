"""The places of a candidate in the folder of a run, by the names that commands have for them.

The jars of the inputs lie in the folder ``inputs``, under the names of the user's files, since a tool may read these; a
jar of a class path that went whole is not there. A preset has ``candidate.jar``, and so has one input whose name a
shell may not read as one word. Placeholders and variables of the environment are two forms of one table.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.archive.named_inputs import InputJar, is_class_path
from core.archive.nested import flattened
from core.archive.packer import Packer, write_folder, write_jar
from core.entries import Entries
from core.errors import OutputError

JAR, CLASSES, INPUTS = "candidate.jar", "classes", "inputs"
TEMPORARY = ".tmp"
"""The folder of a probe for the temporary files of its commands."""
VARIABLES = {
    "jar": "JARLET_JAR", "classpath": "JARLET_CLASSPATH", "inputs": "JARLET_INPUTS", "dir": "JARLET_DIR",
    "classes": "JARLET_CLASSES",
}  # fmt: skip
"""The variable of the environment for each placeholder that takes no name."""
_PLAIN = re.compile(r"\w[\w.+-]*")
"""Pattern of the file names that every shell and tool reads as one word."""


@dataclass(frozen=True)
class CandidatePlaces:
    """The places of the candidates of some inputs; of none where the inputs are not known yet."""

    inputs: tuple[InputJar, ...] = ()
    libraries: tuple[Path, ...] = ()
    """Jars and folders that stand behind the candidate on a class path."""

    @property
    def several(self) -> bool:
        """True if there is more than one input."""
        return len(self.inputs) > 1

    @property
    def is_class_path(self) -> bool:
        """True if each input is opened as a jar of its own."""
        return is_class_path(self.inputs)

    @property
    def one(self) -> str:
        """Path of the jar of one input, relative to the folder of a run."""
        name = self.inputs[0].name if len(self.inputs) == 1 else ""
        return f"{INPUTS}/{name}" if name and (self.is_class_path or _PLAIN.fullmatch(name)) else JAR

    def find(self, name: str) -> InputJar | None:
        """Return the input of a number from 1 on, a label or a file name; None if there is none."""
        if name.isdecimal():
            return self.inputs[int(name) - 1] if 0 < int(name) <= len(self.inputs) else None
        return next((each for each in self.inputs if name and name in (each.label, each.name)), None)

    def misfit(self, name: str) -> str:
        """Return the reason why a placeholder does not fit the inputs, with the one that does; empty if it fits."""
        if not self.inputs:
            return ""
        names = [f"{{jar:{each.label or number}}} ({each.name})" for number, each in enumerate(self.inputs, 1)]
        each = f"{names[0]} to {names[-1]}"
        if name in ("", "jar") and self.several:
            return (
                f"there are {len(self.inputs)} inputs: write {{classpath}} for all of them, {{inputs}} for one word "
                f"each, or {each} for one"
            )
        if name.startswith("jar:") and self.find(name[4:]) is None:
            return f"there is no such input: write {each}" if self.several else "there is one input: write {jar}"
        if name == "dir" and not self.is_class_path:
            return "there is one jar and no folder of jars: write {jar}"
        return ""

    def jars(self, work: Path, there: Collection[str] | None = None) -> list[str]:
        """Return the candidate's jars in the folder ``work``, in order. ``there``: names of the jars still in the
        candidate; by default the existing files."""
        if not self.is_class_path:
            return [str(work / self.one)]
        places = [work / INPUTS / each.name for each in self.inputs]
        return [str(place) for place in places if (place.exists() if there is None else place.name in there)]

    def values(self, work: Path, there: Collection[str] | None = None) -> dict[str, str]:
        """Return the value of each placeholder without a name. ``there``: see :meth:`jars`."""
        jars = self.jars(work, there)
        values = {
            "classpath": os.pathsep.join([*jars, *(str(path.absolute()) for path in self.libraries)]),
            "inputs": " ".join(jars),
            "classes": str(work / CLASSES),
        }
        if not self.several:
            values["jar"] = str(work / self.one)
        if self.is_class_path:
            values["dir"] = str(work / INPUTS)
        return values

    def value(self, name: str, work: Path) -> str:
        """Return the place of one jar, by the name in a placeholder."""
        found = self.find(name) if self.is_class_path else None
        return str(work / INPUTS / found.name if found is not None else work / self.one)

    def environment(self, work: Path, there: Collection[str] | None = None) -> dict[str, str]:
        """Return the variables of the environment for a candidate in ``work``."""
        return {VARIABLES[name]: value for name, value in self.values(work, there).items()}

    def write(
        self, entries: Entries, work: Path, packer: Packer, *, classes: bool = False, always: Sequence[str] = ()
    ) -> None:
        """Make the folder of a run with the candidate in it, with ``classes`` as a folder too. The inputs of the names
        ``always`` are there in any case, empty if they went whole. Raise OutputError."""
        try:
            work.mkdir(parents=True)
            (work / TEMPORARY).mkdir()
            if not self.is_class_path:
                jar = work / self.one
                jar.parent.mkdir(exist_ok=True)
                write_jar(jar, entries, packer=packer, durable=False)
            else:
                write_folder(work / INPUTS, entries, packer)
                for name in always:
                    place = work / INPUTS / name
                    if not place.exists():
                        place.write_bytes(b"".join(packer.file(name, [])))
            if classes:
                write_folder(work / CLASSES, flattened(entries) if self.is_class_path else entries)
        except OSError as error:
            raise OutputError(f"The candidate cannot be written to {work}: {error.strerror or error}.") from error


ONE_JAR = CandidatePlaces()
"""The places of a candidate that is one jar."""


def environment_of(work: Path, places: CandidatePlaces = ONE_JAR) -> dict[str, str]:
    """Return this process's environment with the candidate's places in ``work`` and a folder for temporary files."""
    return {
        **os.environ,
        **{name: str(work / TEMPORARY) for name in ("TMPDIR", "TMP", "TEMP") if name in os.environ or name == "TMPDIR"},
        **places.environment(work),
        "JARLET_WORK": str(work),
    }
