"""The failures in the source of the best so far, with the source of the same members by another tool beside it."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from threading import Event as Flag

from core.entries import Entries, class_files
from core.errors import JarletError
from core.evidence.mentions import ClassNames
from core.predicate import presets
from core.predicate.output import traces
from core.predicate.several.decompiling import SourceTool, decompiles
from core.protocol.events import BugShown, ShownFailure, ShownFile
from core.protocol.java_names import java_name
from core.protocol.questions.bug import ShowBug
from core.protocol.settings import Settings
from core.protocol.wording import matching_line
from core.reduction.elements import content_bytes
from core.reduction.records import SubInput
from core.report.alignment import side_by_side
from core.report.bug_report import change_of
from core.report.failure_places import PlacedFailure, compile_errors, is_in, line_of, with_frame
from core.service.aims import aim_of
from core.service.queries.bug_sources import (
    INPUT,
    NEAREST,
    ORIGINAL,
    choices,
    families,
    original,
    original_texts,
    outermost,
    source_memory,
)
from core.service.queries.desk import Desk, once_per_input
from core.service.reproducers.nearest_pairs import unpacked
from core.service.source_memory import NO_DECOMPILER, SECONDS, Material, SourceMemory, decompiler
from core.service.workspace import Workspace
from core.system.work_folder import temporary_folder

WHOLE = 80
"""Largest number of classes that are all shown. Of a larger candidate, the classes that failures name are shown."""

_NAMED = 12
"""Number of such classes that are shown."""

_FILES = 40
_CHARACTERS = 400_000
"""Number of files, and of characters in all of them, that are shown."""

_ROWS = 4000
"""Number of rows of a file that are shown: a window shows no more at once."""

_KIND = "bug"
_STOPPED = "Stopped, or not ended within the time limit."
_NOTHING_LEFT = "No class is left."


@dataclass
class _Making:
    """The page that is being made. ``told`` is True once its source alone is told."""

    wish: ShowBug
    best: SubInput | None
    """The candidate that it shows; None = the input."""
    told: bool = False


class BugPage:
    """The pages about one input, made one after another, with its ``sources``."""

    def __init__(self, workspace: Workspace, sources: SourceMemory) -> None:
        self._workspace, self._sources = workspace, sources
        self._making: _Making | None = None
        self.overtaken = False
        """True if a newer wish ended the page that was being made."""

    def outdated(self, wish: ShowBug) -> bool:
        """Return True if the unfinished page is of no use beside a newer wish, or there is no such page.

        An unfinished page of the same settings is ended only if it shows the input, or if half of its classes are gone:
        when steps come faster than pages, the page of an earlier step is better than none.
        """
        made, best = self._making, self._workspace.best
        if made is None or made.wish.settings != wish.settings:
            return True
        smaller = best is not None and best is not made.best
        if made.told:  # the rest of it is the source beside
            return smaller or made.wish.beside != wish.beside
        return best is not None and smaller and (made.best is None or 2 * best.classes <= made.best.classes)

    def shown(self, wish: ShowBug, cancel: Flag) -> Iterator[BugShown]:
        """Yield the page for the best so far: at first the source alone, then with the other source beside it.

        ``cancel`` kills the programs that make it; then no more of it comes. Raises UsageError where no input is open.
        """
        self.overtaken = False
        try:
            for page in self._pages(wish, cancel):
                if cancel.is_set():
                    if not self.overtaken:
                        yield BugShown(problem=_STOPPED, stopped=True)
                    return
                if self._making is not None:
                    self._making.told = True
                yield page
        finally:
            self._making = None

    def _pages(self, wish: ShowBug, cancel: Flag) -> Iterator[BugShown]:
        workspace, settings = self._workspace, wish.settings
        self._making = _Making(wish, workspace.best)
        model, entries = workspace.opened, list(workspace.entries)
        classes = class_files(entries)
        shown = BugShown(len(classes), rewritten=list(workspace.renaming.edits))
        if not classes:
            yield replace(shown, problem=_NOTHING_LEFT)
            return
        try:
            aim = aim_of(settings, model.jar.inputs)
            preset = aim.preset
            told = preset is not None and decompiles(preset)
            tool = preset.name if preset is not None and told else decompiler()
            if not tool:
                yield replace(shown, problem=NO_DECOMPILER)
                return
            places = [] if told else self._failing(settings, entries, cancel)
            wanted = self._wanted(entries, places, wish.failures)
            if len(classes) > _NAMED and not told and not wanted:
                failures = [ShownFailure(one.name, one.text) for one in places]
                yield replace(shown, failures=failures, problem=_left(classes))
                return
            large = len(classes) > WHOLE
            part = families(entries, (wanted or sorted(_stems(entries)))[:_NAMED]) if large else entries
            material = Material(part, aim.class_path, entries if large else ())
            source_tool = SourceTool(presets.find(tool), aim.options if told else {}, compiled=told)
            made = self._sources.made(source_tool, material, cancel, aim.jdk)
            if told:
                places = list(compile_errors(made, aim))
        except JarletError as error:
            yield replace(shown, problem=str(error))
            return
        sources = [Path(source) for source in model.jar.paths]
        offered = [*choices(tool, sources), *self._nearest(entries)]
        beside = wish.beside if wish.beside in [name for name, _ in offered] else offered[0][0]
        names, left_out = _chosen(made.texts, places)
        page = replace(
            shown,
            tool=made.title,
            beside=beside,
            beside_title=next(title for name, title in offered if name == beside),
            choices=offered,
            left_out=left_out,
            decompiled=len(class_files(part)) if large else 0,
            problem=made.problem,
        )
        yield _filled(page, names, made.texts, {}, places)
        texts, problem = self._beside(beside, tool, material, names, cancel)
        page = replace(page, problem=made.problem or problem, beside_made=True)
        yield _filled(page, names, made.texts, texts, places)

    @cached_property
    def _names(self) -> ClassNames:
        return ClassNames(self._workspace.opened)

    def _failing(self, settings: Settings, entries: Entries, cancel: Flag) -> list[PlacedFailure]:
        """Return the failures of a predicate that is no decompiler, by one run and by the names in its output."""
        inputs = self._workspace.opened.jar.inputs
        predicate = aim_of(settings, inputs, entries).predicate(SECONDS)
        try:
            with temporary_folder() as folder:
                outcome = predicate.confirm(entries, folder / "run", cancel)
        finally:
            predicate.close()
        output = f"{outcome.stdout}\n{outcome.stderr}".strip()
        found = list(dict.fromkeys(outcome.failures)) or list(dict.fromkeys(traces.names(output)))
        shown = matching_line(settings.match, output) if settings.match and not found else ""
        names = found or [shown or outcome.detail]
        placed = [place for name in names for place in self._named(name, output, not found)]
        return [place for place in placed if place.file or found or shown or outcome.exit]  # exit code 0 is no failure

    def _named(self, failure: str, output: str, by_output: bool) -> Iterator[PlacedFailure]:
        """Yield the first class that a failure names, with its member; the failure alone if it names none."""
        left = dict(self._workspace.entries)
        for mention in self._names.mentions(output if by_output else failure):
            file = next((name for name in left if name.endswith(f"{mention.name}.class")), "")
            if file:
                place = PlacedFailure(
                    failure, output, f"{outermost(mention.name)}.java", 0, mention.name, mention.member
                )
                yield with_frame(place, left[file])
                return
        yield PlacedFailure(failure, output)

    def _nearest(self, entries: Entries) -> list[list[str]]:
        """Return names and titles of the nearest inputs that do not fail, if the last report is about these entries."""
        report = self._workspace.last_report
        if report is None or report["kept"] != [name for name, _ in entries if not name.endswith("/")]:
            return []
        if report["output"]["bytes"] != content_bytes(entries):
            return []
        near = [(at, each) for at, each in enumerate(report.get("nearest", ())) if each.get("base64")]
        return [[f"{NEAREST}{at}", f"Does not fail: {change_of(each)}"] for at, each in near]

    def _neighbour(self, number: int) -> Entries:
        """Return the entries of a nearest input that does not fail."""
        report = self._workspace.last_report
        return unpacked(base64.b64decode(report["nearest"][number]["base64"])) if report is not None else []

    def _wanted(self, entries: Entries, places: Sequence[PlacedFailure], failures: Sequence[str]) -> list[str]:
        """Return the outermost classes that failures name."""
        paths = [place.file for place in places if place.file]
        for failure in failures:
            file = re.match(r"[\w$/.-]+\.java(?=:)", failure)
            paths += [file[0]] if file is not None else [place.file for place in self._named(failure, "", False)]
        stems = sorted(_stems(entries))
        named = dict.fromkeys(filter(None, paths))
        return [stem for path in named for stem in stems if f"/{stem}.java".endswith(f"/{path}")]

    def _beside(
        self, beside: str, tool: str, material: Material, names: Sequence[str], cancel: Flag
    ) -> tuple[Mapping[str, str], str]:
        """Return the texts beside the files ``names``, and the reason if there are none."""
        sources = self._workspace.opened.jar.files
        try:
            if beside == ORIGINAL:
                archive = original(sources)
                return (original_texts(archive, names) if archive is not None else {}), ""
            if beside.startswith(NEAREST):
                near = self._neighbour(int(beside.removeprefix(NEAREST)))
                material, beside = Material(near, material.library), tool
            elif beside == INPUT:
                jar = self._workspace.opened.jar
                whole = jar.contents
                part = families(whole, map(outermost, class_files(material.entries)))
                files = [path for path in sources if path.is_file()]
                material, beside = Material(part, [*material.library, *files]), tool
            made = self._sources.made(SourceTool(presets.find(beside)), material, cancel)
        except (JarletError, OSError) as error:
            return {}, str(error)
        return made.texts, made.problem


@once_per_input
def _page(desk: Desk) -> BugPage:
    return BugPage(desk.workspace, source_memory(desk))


def overtake(desk: Desk, wish: ShowBug) -> None:
    """Stop the programs behind a page that a newer wish makes outdated."""
    page = _page(desk)
    if page.outdated(wish):
        page.overtaken = True
        desk.background.stop(_KIND)


def show_bug(desk: Desk, wish: ShowBug) -> Iterator[BugShown]:
    """Yield the page of the bug for the best so far."""
    limit = (wish.settings.timeout or SECONDS) + 2 * SECONDS  # the command, and a decompiler for each side
    with desk.background.run(_KIND, "Source with the failure", limit) as cancel:
        yield from _page(desk).shown(wish, cancel)


def _left(classes: Sequence[str]) -> str:
    """Return a sentence, and a line for each of the first remaining classes."""
    names = [java_name(name.rpartition("!/")[2].removesuffix(".class")) for name in classes[:_NAMED]]
    more = [f"and {len(classes) - len(names)} more"] if len(classes) > len(names) else []
    return "\n".join([f"The output names no class of the {len(classes)} that are left:", *names, *more])


def _stems(entries: Entries) -> set[str]:
    return set(map(outermost, class_files(entries)))


def _chosen(texts: Mapping[str, str], places: Sequence[PlacedFailure]) -> tuple[list[str], int]:
    """Return the shown files, those with failures first, and the number of the others."""
    failing = [name for place in places for name in texts if is_in(place, name)]
    names = list(dict.fromkeys([*failing, *sorted(texts)]))
    chosen: list[str] = []
    for name in names[:_FILES]:
        if chosen and sum(len(texts[one]) for one in chosen) + len(texts[name]) > _CHARACTERS:
            break
        chosen.append(name)
    return chosen, len(names) - len(chosen)


def _filled(
    page: BugShown,
    names: Sequence[str],
    texts: Mapping[str, str],
    others: Mapping[str, str],
    places: Sequence[PlacedFailure],
) -> BugShown:
    files = [_file(name, texts[name], others, places) for name in names]
    return replace(page, files=files, failures=[_failure(place, names, files, texts) for place in places])


def _file(name: str, text: str, others: Mapping[str, str], places: Sequence[PlacedFailure]) -> ShownFile:
    beside = others.get(name) or next((others[one] for one in others if one.rpartition("/")[2] == name), "")
    both = side_by_side(text, beside).first(_ROWS)
    marked = {both.row_of(line_of(place, text)) for place in places if is_in(place, name)}
    lefts, rights = ([pair[side] for pair in both.rows] for side in (0, 1))
    return ShownFile(name, both.left, both.right, lefts, rights, sorted(row for row in marked if row >= 0))


def _failure(
    place: PlacedFailure, names: Sequence[str], files: Sequence[ShownFile], texts: Mapping[str, str]
) -> ShownFailure:
    number = next((at for at, name in enumerate(names) if is_in(place, name)), -1)
    row = -1
    if number >= 0:
        line, lines = line_of(place, texts[names[number]]), files[number].left_lines
        row = lines.index(line) if line in lines and line else -1
    return ShownFailure(place.name, place.text, number, row)
