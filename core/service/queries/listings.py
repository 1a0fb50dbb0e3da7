"""A class as text, in the input and in the best so far: bytecode by javap, or source by a decompiler."""

from __future__ import annotations

from pathlib import Path
from threading import Event as Flag

from core.archive.jar import write_jar
from core.archive.nested import flattened
from core.entries import Entries
from core.errors import InputError, JarletError
from core.library.jdks import choose_jdk, needed_java
from core.predicate import presets
from core.predicate.places import JAR
from core.predicate.several.decompiling import SourceTool
from core.protocol.events import Listing
from core.protocol.questions.items import ShowListing
from core.report.bug_report import javap
from core.service.queries.bug_sources import source_memory
from core.service.queries.desk import Desk
from core.service.queries.member_lists import MemberLister, lister
from core.service.source_memory import NO_DECOMPILER, Material, decompiler
from core.system.work_folder import temporary_folder

SECONDS = 30.0
"""Time limit of a decompiler, in seconds."""

_OPTIONS = ("-p", "-c", "-constants")


def show_listing(desk: Desk, wish: ShowListing) -> Listing:
    """Return a class, given by its internal name, as ``bytecode`` or ``source``.

    Raises UsageError for a class that the input does not have.
    """
    listed, name = lister(desk), wish.item
    before = _whole(listed, name, listed.model.jar.contents)
    reduced = desk.workspace.best is not None
    after = _whole(listed, name, desk.workspace.entries) if reduced else []
    if wish.kind == "bytecode":
        return _bytecode(name, before, after, reduced)
    with desk.background.run("listing", "Source of the selected class", 2 * SECONDS, alone=False) as cancel:
        return _source(desk, name, (before, after if reduced else before), wish.tool, cancel)


def _whole(listed: MemberLister, name: str, entries: Entries) -> list[tuple[str, bytes]]:
    """Return a class with the classes nested in it, named as a plain jar has them; nothing if the class is gone."""
    prefix = listed.entry_name(name).removesuffix(".class")
    package = prefix.removesuffix(name)
    found = [
        (entry.removeprefix(package), data)
        for entry, data in entries
        if entry == f"{prefix}.class" or (entry.startswith(f"{prefix}$") and entry.endswith(".class"))
    ]
    return found if any(entry == f"{name}.class" for entry, _ in found) else []


def _bytecode(name: str, before: Entries, after: Entries, reduced: bool) -> Listing:
    try:
        jdk = choose_jdk("", needed_java(before)).jdk
        texts = []
        for entries in (before, after):
            with temporary_folder() as folder:
                jar = folder / JAR
                write_jar(jar, flattened(entries))
                texts.append(javap(jdk, jar, [name], _OPTIONS) if entries else "")
    except (JarletError, OSError) as error:
        return Listing(name, "bytecode", "javap", "", "", f"There is no listing of the bytecode: {error}")
    return Listing(name, "bytecode", "javap", texts[0], texts[1] if reduced else texts[0])


def _source(desk: Desk, name: str, both: tuple[Entries, Entries], wish: str, cancel: Flag) -> Listing:
    tool = decompiler(wish)
    if not tool:
        return Listing(name, "source", "", "", "", NO_DECOMPILER)
    try:
        before, after = (_decompiled(desk, tool, name, one, cancel) if one else "" for one in both)
    except (JarletError, OSError) as error:
        return Listing(name, "source", tool, "", "", str(error))
    return Listing(name, "source", tool, before, after)


def _decompiled(desk: Desk, preset: str, name: str, entries: Entries, cancel: Flag) -> str:
    material = Material(entries, desk.workspace.opened.jar.files)
    made = source_memory(desk).made(SourceTool(presets.find(preset)), material, cancel, seconds=SECONDS)
    if made.problem or cancel.is_set():
        raise InputError(made.problem or "Stopped.")
    files = sorted(made.texts, key=lambda path: (Path(path).stem != name.rpartition("/")[2], path))
    return "\n".join(made.texts[path].strip() for path in files) + "\n"
