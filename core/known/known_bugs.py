"""A file of known bugs in a team's repository: canonical forms, each with the issue about it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any

from core.errors import InputError, JarletError, UsageError
from core.known.canonical_form import FIRST, VERSION
from core.system.files import write_whole
from core.values import Filled, conform, read_json
from core.words import counted

_SCHEMA = 1
_HASH = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class KnownBug:
    """A bug with its issue. ``hash`` is that of its canonical form."""

    hash: str
    issue: Annotated[str, Filled()]
    """Address of the issue, or its number."""
    tool: str = ""
    """The tool with the bug: the name of a preset, or the user's name for it."""
    versions: tuple[str, ...] = ()
    """Versions of the tool that fail."""
    note: str = ""
    form: int = FIRST
    """Version of the canonical form."""

    def __post_init__(self) -> None:
        if not _HASH.fullmatch(self.hash):
            raise UsageError(f"{self.hash!r} is no hash of a canonical form: it has 64 hexadecimal digits.")

    @property
    def shown(self) -> str:
        """The issue with tool and versions, in words."""
        where = " ".join(filter(None, [self.tool, ", ".join(self.versions)]))
        return f"{self.issue} ({where})" if where else self.issue


@dataclass(frozen=True)
class KnownBugs:
    """The bugs of one file, in its order; a form stands once for each tool. ``others``: the file's other fields."""

    bugs: tuple[KnownBug, ...] = field(default=())
    others: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def load(cls, path: Path, *, missing: bool = False) -> KnownBugs:
        """Read a file; with ``missing`` one that is not there has no bugs.

        Raises InputError with the file's name where it cannot be read, or is no file of known bugs.
        """
        try:
            values = read_json(path)
            schema, bugs = values.pop("schema", None), values.pop("bugs", None)
            if schema != _SCHEMA:
                raise UsageError(f"Its schema is {schema!r}, not {_SCHEMA}.")
            return cls(conform("bugs", bugs, tuple[KnownBug, ...]), values)
        except FileNotFoundError as error:
            if missing:
                return cls()
            raise InputError(f"{path}: there is no such file of known bugs. 'jarlet known add' makes one.") from error
        except OSError as error:
            raise InputError(f"{path}: the file of known bugs cannot be read: {error.strerror or error}.") from error
        except JarletError as error:
            raise InputError(
                f"{path}: this is no file of known bugs. {error} Repair the file, or name another one."
            ) from error

    def save(self, path: Path) -> None:
        """Write the file, one bug a paragraph, so that a difference between two versions is easy to read."""
        values = {"schema": _SCHEMA, **self.others, "bugs": [asdict(bug) for bug in self.bugs]}
        text = json.dumps(values, indent=2, ensure_ascii=False)
        write_whole(path, f"{text}\n".encode("utf-8", "backslashreplace"))  # half a surrogate pair, as JSON says it

    def find(self, hash_: str, tool: str = "") -> KnownBug | None:
        """Return the bug with a canonical form: the tool's own, else one that is noted without a tool; None if there is
        none. Without a ``tool`` any one will do: another tool's bug is another bug.
        """
        found = [bug for bug in self.bugs if bug.hash == hash_ and (not tool or bug.tool in (tool, ""))]
        return next((bug for bug in found if bug.tool == tool), found[0] if found else None)

    def add(self, bug: KnownBug) -> KnownBugs:
        """Return the bugs with one more. It takes the place of one with the same form and tool, else of one with the
        same issue and tool and another version of the form; the versions of both stay.
        """
        same = next((each for each in self.bugs if (each.hash, each.tool) == (bug.hash, bug.tool)), None)
        old = (each for each in self.bugs if each.form != bug.form and (each.issue, each.tool) == (bug.issue, bug.tool))
        same = same or next(old, None)
        if same is None:
            return replace(self, bugs=(*self.bugs, bug))
        versions = tuple(dict.fromkeys((*same.versions, *bug.versions)))
        new = replace(bug, versions=versions, note=bug.note or same.note)
        return replace(self, bugs=tuple([new if each is same else each for each in self.bugs]))

    @property
    def untold(self) -> str:
        """A sentence on the bugs with another version of the canonical form, to which no jar can be compared; empty if
        there is none."""
        others = [bug for bug in self.bugs if bug.form != VERSION]
        if not others:
            return ""
        issues = ", ".join(dict.fromkeys(bug.issue for bug in others))
        return (
            f"{counted(len(others), 'known bug')} cannot be compared, since another version of Jarlet made the "
            f"canonical form: add the reduced jar of each again ('jarlet known add'): {issues}."
        )
