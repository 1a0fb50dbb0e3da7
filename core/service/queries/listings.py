"""A class as text, in the input and in the best so far: bytecode by javap, or source by a decompiler."""

from __future__ import annotations

import re
from dataclasses import replace
from difflib import SequenceMatcher
from itertools import zip_longest
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
from core.report.alignment import side_by_side
from core.report.bug_report import javap
from core.service.queries.bug_sources import source_memory
from core.service.queries.desk import Desk
from core.service.queries.member_lists import MemberLister, lister
from core.service.source_memory import NO_DECOMPILER, Material, decompiler
from core.system.work_folder import temporary_folder

SECONDS = 30.0
"""Time limit of a decompiler, in seconds."""

_MOST = 400_000
"""Characters of a text that are shown at most."""
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


def _whole(listed: MemberLister, name: str, entries: Entries) -> Entries:
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
        return Listing(name, "bytecode", "javap", problem=f"There is no listing of the bytecode: {error}")
    return _joined(Listing(name, "bytecode", "javap"), texts[0], texts[1] if reduced else texts[0])


def _source(desk: Desk, name: str, both: tuple[Entries, Entries], wish: str, cancel: Flag) -> Listing:
    tool = decompiler(wish)
    if not tool:
        return Listing(name, "source", "", problem=NO_DECOMPILER)
    try:
        before, after = (_decompiled(desk, tool, name, one, cancel) if one else "" for one in both)
    except (JarletError, OSError) as error:
        return Listing(name, "source", tool, problem=str(error))
    return _joined(Listing(name, "source", tool), before, after)


_CONSTANT = re.compile(r"#\d+")


def _joined(listing: Listing, before: str, after: str) -> Listing:
    """Return the listing with the lines of both texts: each changed line before the one in its place. Numbers of
    constants make no change."""
    before, after = before[:_MOST], after[:_MOST]
    one, other = before.splitlines(), after.splitlines()
    plain, plain_other = ([_CONSTANT.sub("", line).strip() for line in side] for side in (one, other))
    if listing.kind == "source":
        pairs = side_by_side(before, after).rows
    else:
        found = SequenceMatcher(None, plain, plain_other).get_opcodes()
        pairs = tuple(
            pair
            for _, a, b, c, d in found
            for pair in zip_longest(range(a + 1, b + 1), range(c + 1, d + 1), fillvalue=0)
        )
    lines: list[str] = []
    numbers: list[int] = []
    gone: list[int] = []
    for left, right in pairs:
        same = bool(left and right) and plain[left - 1] == plain_other[right - 1]
        if left:
            gone += [] if same else [len(lines)]
            lines.append(one[left - 1])
            numbers.append(left)
        if right and not same:
            lines.append(other[right - 1])
            numbers.append(0)
    return replace(listing, text="\n".join(lines), numbers=numbers, gone=gone)


def _decompiled(desk: Desk, preset: str, name: str, entries: Entries, cancel: Flag) -> str:
    material = Material(entries, desk.workspace.opened.jar.files)
    made = source_memory(desk).made(SourceTool(presets.find(preset)), material, cancel, seconds=SECONDS)
    if made.problem or cancel.is_set():
        raise InputError(made.problem or "Stopped.")
    files = sorted(made.texts, key=lambda path: (Path(path).stem != name.rpartition("/")[2], path))
    return "\n".join(made.texts[path].strip() for path in files) + "\n"
