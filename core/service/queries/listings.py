"""A class as text, as it was and as it is: bytecode by javap, source by a decompiler where there is one."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

from core.archive.jar import write_jar
from core.errors import InputError, JarletError
from core.library.jdk import find_jdk
from core.predicate import presets
from core.predicate.command import JAR
from core.predicate.several.decompiling import decompile, decompilers
from core.protocol.events import Listing
from core.report.bug_report import javap
from core.service.queries.member_lists import MemberLister
from core.service.workspace import Workspace
from core.user_folders import cache_folder

SECONDS = 30.0
"""Time limit of a decompiler."""

_OPTIONS = ("-p", "-c", "-constants")

Entries = Sequence[tuple[str, bytes]]


def listing(
    session: Workspace, lister: MemberLister, name: str, kind: str, tool: str = "", request: int = 0
) -> Listing:
    """The class ``name`` (internal) as ``bytecode`` or ``source``. Raises UsageError for a class that is not there."""
    before = _whole(lister, name, [(entry.name, entry.data) for entry in lister.model.jar.entries])
    reduced = session.best is not None
    after = _whole(lister, name, session.entries) if reduced else []
    if kind == "bytecode":
        return _bytecode(name, before, after, reduced, request)
    return _source(lister, name, before, after, reduced, tool, request)


def _whole(lister: MemberLister, name: str, entries: Entries) -> list[tuple[str, bytes]]:
    """The class and those nested in it, named as a plain jar has them; empty if the class is not there."""
    prefix = lister.entry_name(name).removesuffix(".class")
    package = prefix.removesuffix(name)
    found = [
        (entry.removeprefix(package), data)
        for entry, data in entries
        if entry == f"{prefix}.class" or (entry.startswith(f"{prefix}$") and entry.endswith(".class"))
    ]
    return found if any(entry == f"{name}.class" for entry, _ in found) else []


def _bytecode(name: str, before: Entries, after: Entries, reduced: bool, request: int) -> Listing:
    try:
        jdk = find_jdk(cache=cache_folder())
        texts = []
        for entries in (before, after):
            with tempfile.TemporaryDirectory(prefix="jarlet-javap-") as folder:
                jar = Path(folder, JAR)
                write_jar(jar, entries)
                texts.append(javap(jdk, jar, [name], _OPTIONS) if entries else "")
    except (JarletError, OSError) as error:
        return Listing(name, "bytecode", "javap", "", "", f"There is no listing of the bytecode: {error}", request)
    return Listing(name, "bytecode", "javap", texts[0], texts[1] if reduced else texts[0], "", request)


def _source(
    lister: MemberLister, name: str, before: Entries, after: Entries, reduced: bool, tool: str, request: int
) -> Listing:
    there = decompilers()
    chosen = tool if tool in there else next(iter(there), "")
    if not chosen:
        sentence = "No decompiler is installed: CFR, Vineflower, Procyon and Fernflower are known (Preferences, Tools)."
        return Listing(name, "source", "", "", "", sentence, request)
    library = [path for path in lister.model.jar.sources if path.is_file()]
    try:
        texts = [_decompiled(chosen, name, entries, library) if entries else "" for entries in (before, after)]
    except (JarletError, OSError) as error:
        return Listing(name, "source", chosen, "", "", str(error), request)
    return Listing(name, "source", chosen, texts[0], texts[1] if reduced else texts[0], "", request)


def _decompiled(preset: str, name: str, entries: Entries, library: Sequence[Path]) -> str:
    with tempfile.TemporaryDirectory(prefix="jarlet-source-") as place:
        made = decompile(presets.find(preset), entries, Path(place) / "run", library, seconds=SECONDS)
    if made.problem:
        raise InputError(made.problem)
    files = sorted(made.texts, key=lambda path: (Path(path).stem != name.rpartition("/")[2], path))
    return "\n".join(made.texts[path].strip() for path in files) + "\n"
