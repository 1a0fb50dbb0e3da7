"""What a window asks beside the run: presets, members, ties, listings, sessions, steps. One input at a time."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, replace
from pathlib import Path
from threading import Event as Flag
from typing import Any

from core.archive.jar import write_jar
from core.errors import InputError, JarletError, OutputError, UsageError
from core.predicate import presets
from core.predicate.failures import FailureNaming
from core.predicate.preset import Setting
from core.protocol import events
from core.protocol.bug_commands import RunTools, ShowBug
from core.protocol.commands import StepKey
from core.protocol.settings import Settings
from core.search.catalogue import CATALOGUE, Level
from core.service.bug_folder import ISSUE, report_document
from core.service.meaning import settings_in
from core.service.predicates import condition_of
from core.service.queries.bug_page import BugPage
from core.service.queries.listings import listing
from core.service.queries.member_finder import MemberFinder
from core.service.queries.member_lists import MemberLister
from core.service.queries.newest import Newest
from core.service.queries.relations import RelationFinder
from core.service.queries.tool_survey import lacking, survey
from core.service.reads import inputs_read
from core.service.searching.conflicts import class_conflicts, conflicts
from core.service.searching.kept_clues import kept_clues
from core.service.workspace import Workspace
from core.service.workspace_events import used_event
from core.store import history, retention
from core.store.session import Session
from core.store.session_folder import session_place
from core.system.outputs import Output, guard

_VARIABLE = "JARLET_"
"""Only variables of ours may be set by the window."""


class WindowQueries:
    """Answers with events; ``place`` is the session folder of the opened input, once there is one."""

    def __init__(self, session: Workspace) -> None:
        self._session = session
        self._under_way: Session | None = None
        """The session of the run that goes on."""
        self._lister: MemberLister | None = None
        self._insight: RelationFinder | None = None
        self._page = BugPage(session)
        self._pages, self._finds, self._lefts = Newest(), Newest(), Newest()
        self._finder: MemberFinder | None = None
        self._stop_tools = Flag()
        self.place: Path | None = None
        self._home = Path.cwd()

    def close(self) -> None:
        """Ends what runs; the session's folder is given free."""
        self._page.close()
        self.stop_tools()
        self._under_way = None

    # -- the input ----------------------------------------------------------------------

    def open(self, paths: list[str], notes: Sequence[str] = ()) -> None:
        """Reads an input; its session is still to be made."""
        self._session.open(paths, notes)
        self._work_in(self._home)
        self.place = None

    def open_session(self, path: Path) -> None:
        """Reads a session's input and tells its settings, to go on with it in the folder where it was made; nothing of
        it is run. Raises InputError and UsageError."""
        with Session.open(path) as folder:
            path = folder.path
            sources, place = [str(source) for source in folder.sources()], folder.place() or self._home
            settings, broken = settings_in(folder), retention.interrupted(path)
            start, best, answers = folder.begun_with(), folder.smallest(), folder.answered()
            self._session.emit(events.Restored(str(path), settings, broken, sources, str(place), start, best, answers))
            self.open(sources, folder.warnings)
            folder.same_input(self._session.opened.jar)
        self._session.clues = kept_clues(path)
        self._work_in(place)
        self.place = path

    def _work_in(self, place: Path) -> None:
        """Relative names in commands begin there from here on."""
        try:
            os.chdir(place)
        except OSError as error:
            raise InputError(f"{place}: commands cannot start here ({error.strerror or error}).") from error

    def check(self, settings: Settings) -> None:
        """As :meth:`Workspace.check`."""
        self._session.check(settings)

    def named(self, checked: events.Checked, settings: Settings) -> events.Checked:
        """The same with the failures that the shown part of its output names."""
        with suppress(JarletError):
            reading = condition_of(settings).reading
            if settings.preset is not None:
                preset, pattern = presets.find(settings.preset), settings.options.get("pattern")
                reading = FailureNaming(pattern=pattern) if pattern and preset.reading is None else preset.reading
            if reading is not None:
                names = reading.names(f"{checked.stdout}\n{checked.stderr}")
                once = list(dict.fromkeys(names))
                return replace(checked, failures=once, counts=[list(names).count(name) for name in once])
        return checked

    @contextmanager
    def session_folder(self, settings: Settings) -> Iterator[Session | None]:
        """The session to keep a run in, told where; None, and told why, where none can be made."""
        try:
            folder = self._folder(settings)
            retention.begun(folder.path)
        except JarletError as error:
            self._session.emit(events.SessionKept("", f"This run cannot be resumed after a crash: {error}"))
            yield None
            return
        self.place = folder.path
        self._session.emit(events.SessionKept(str(folder.path)))
        with folder:
            self._under_way = folder
            try:
                yield folder
            finally:
                self._under_way = None

    def keep_settings(self, settings: Settings) -> None:
        """The session of the run that goes on is to be resumed with these settings."""
        if self._under_way is not None:
            self._under_way.save_settings(settings.to_json())

    def earlier(self, start: StepKey) -> Sequence[tuple[str, bytes]] | None:
        """The entries of the step that a run is to begin with; None = the input. Raises InputError."""
        return self._step(start) if start.probe else None

    def _folder(self, settings: Settings) -> Session:
        jar = self._session.opened.jar
        if self.place is not None and self.place.exists():
            with suppress(InputError, UsageError):  # in use elsewhere, or damaged: another one
                folder = Session.open(self.place)
                try:
                    folder.same_input(jar)
                    folder.save_settings(settings.to_json())
                    folder.work_here()
                    if not retention.interrupted(self.place):  # who starts again what has ended wants the whole limit
                        folder.forget_time()
                except BaseException:
                    folder.close()
                    raise
                return folder
        retention.sweep([self.place] if self.place else [], jar.sources)
        place = retention.fresh_place(jar.title)
        guard([Output(place, "the session", folder=True)], inputs_read(jar.sources))
        return Session.create(place, jar, settings.to_json())

    def save_session(self, target: Path) -> None:
        """Copies the session to a place of the user's choice, where it is kept from then on."""
        if self.place is None:
            raise UsageError("There is no session yet: it begins with the first reduction.")
        target = session_place(target)
        guard([Output(target, "the session", folder=True)], self._session.reads)
        try:
            self.place = retention.copy(self.place, target)
        except FileExistsError as error:
            raise OutputError(f"{target}: this name is taken. Choose another one.") from error
        except OSError as error:
            raise OutputError(f"{target}: the session cannot be written ({error.strerror or error}).") from error
        self._session.emit(events.SessionKept(str(self.place)))

    # -- presets and tools --------------------------------------------------------------

    def configure(self, variables: Mapping[str, str]) -> None:
        """Sets or (empty) unsets variables by which presets find their tools, and tells of the presets."""
        for name, value in variables.items():
            if name.startswith(_VARIABLE) or name == "JAVA_HOME":
                if value:
                    os.environ[name] = value
                else:
                    os.environ.pop(name, None)
        self.presets()

    def algorithms(self) -> None:
        """Tells of the algorithms to choose from."""
        entries = list(CATALOGUE.values())
        self._session.emit(
            events.Algorithms(
                [entry.name for entry in entries],
                [entry.title for entry in entries],
                [entry.explanation for entry in entries],
                Settings.algorithm,
                [any(phase.level is Level.CLASSES for phase in entry.phases) for entry in entries],
            )
        )

    def presets(self) -> None:
        """Tells of all presets and what they lack."""
        known = list(presets.load_all().values())
        missing = [preset.missing() or "" for preset in known]
        self._session.emit(
            events.Presets(
                names=[preset.name for preset in known],
                titles=[preset.title for preset in known],
                abouts=[preset.about for preset in known],
                settings=[[_described(setting) for setting in preset.settings] for preset in known],
                missing=missing,
                fetchable=[any(tool.maven for tool in preset.tools) for preset in known],
                names_failures=[preset.reading is not None for preset in known],
            )
        )

    def fetch(self, name: str) -> None:
        """Gets the tools of a preset, and tells of all presets. Raises UsageError with what remains missing."""
        problem = presets.find(name).fetch()
        self.presets()
        if problem:
            raise UsageError(problem)

    # -- looking ------------------------------------------------------------------------

    def members(self, classes: Sequence[str], request: int) -> None:
        """Tells the parts of some classes."""
        self._session.emit(events.Members(list(self._listed.of(classes)), request))

    def used(self, request: int) -> None:
        """Tells what is known of what the input's run used."""
        self._session.emit(used_event(self._session.opened, self._session.clues, request))

    def inspect(self, name: str, class_path: Sequence[str], request: int) -> None:
        """Tells what ties an item to others."""
        paths = [Path(path) for path in class_path]
        try:
            self._session.emit(self._insights.answer(name, paths, request, self._session.emit))
        except JarletError as error:
            self._session.emit(events.Inspected(name, "failed", problem=str(error), request=request))

    def conflicts(
        self, keep: Sequence[str], drop_first: Sequence[str], class_path: Sequence[str], by_class: bool, request: int
    ) -> None:
        """Tells which items of these names are to be dropped and cannot, because of those that are to be kept."""
        kept, unwanted = frozenset(keep).__contains__, frozenset(drop_first).__contains__
        if by_class:
            found = class_conflicts(self._session.opened, kept, unwanted)
        else:
            found = conflicts(self._insights.model([Path(path) for path in class_path]), kept, unwanted)
        self._session.emit(events.Conflicts([asdict(conflict) for conflict in found], request))

    def listing(self, name: str, kind: str, tool: str, request: int) -> None:
        """Tells a class as text."""
        self._session.emit(listing(self._session, self._listed, name, kind, tool, request))

    def bug(self, wish: ShowBug) -> None:
        """Tells the source of the best so far with the failing lines; of several wishes the newest."""
        self._pages.do(lambda: self._show_bug(wish))

    def _show_bug(self, wish: ShowBug) -> None:
        try:
            for page in self._page.answers(wish):
                self._session.emit(page)
        except JarletError as error:
            self._session.emit(events.BugShown(problem=str(error), request=wish.request))

    def run_tools(self, wish: RunTools) -> None:
        """Runs all tools; those that run for an earlier wish end."""
        self.stop_tools()
        cancel = self._stop_tools = Flag()
        session = self._session
        entries = session.entries if wish.subject == "result" else session.opened.entries(session.opened.full)
        library = [Path(path) for path in wish.classpath]
        for ran in survey(entries, library, cancel):
            session.emit(replace(ran, subject=wish.subject, request=wish.request))
        missing = [[title, why] for title, why in lacking()]
        session.emit(events.ToolsRan(wish.subject, cancel.is_set(), missing, wish.request))

    def stop_tools(self) -> None:
        """Ends the tools that run."""
        self._stop_tools.set()

    def report(self, request: int) -> None:
        """Tells the bug report of the last reduction."""
        try:
            document = report_document(self._session)
        except JarletError as error:
            self._session.emit(events.ReportShown(problem=str(error), request=request))
            return
        self._session.emit(events.ReportShown(document.html(), document.markdown(ISSUE), "", request))

    def find_members(self, text: str, request: int) -> None:
        """Tells the members that have a text in their names; of several wishes the newest."""
        self._finds.do(lambda: self._find_members(text, request))

    def _find_members(self, text: str, request: int) -> None:
        lister = self._listed
        if self._finder is None or self._finder.lister is not lister:
            self._finder = MemberFinder(lister)
        self._session.emit(self._finder.found(text, request))

    def left(self, request: int) -> None:
        """Tells how much of each item is left; of several wishes the newest."""
        self._lefts.do(lambda: self._left(request))

    def _left(self, request: int) -> None:
        session = self._session
        model, there = session.opened, {name: len(data) for name, data in session.entries}
        sizes = [there.get(model.jar.entries[item.entry].name, 0) for item in model.items]
        session.emit(events.LeftTold(sizes, request))

    def explain_edge(
        self, sources: Sequence[str], targets: Sequence[str], class_path: Sequence[str], request: int
    ) -> None:
        """Tells why some classes need others."""
        emit = self._session.emit
        try:
            found = self._insights.between(sources, targets, [Path(path) for path in class_path], request, emit)
        except JarletError as error:
            found = events.EdgeExplained("failed", problem=str(error), request=request)
        emit(found)

    def compare(self, before: StepKey, after: StepKey, request: int) -> None:
        """Tells what differs between two accepted steps."""
        try:
            found = history.compare(self._step(before), self._step(after))
        except JarletError as error:
            self._session.emit(events.Compared([], [], [], str(error), request))
            return
        sizes = [[-1 if size is None else size for size in (row.before, row.after)] for row in found]
        self._session.emit(
            events.Compared(
                [row.name for row in found], [row[0] for row in sizes], [row[1] for row in sizes], "", request
            )
        )

    def export_step(self, step: StepKey, path: Path) -> None:
        """Writes an accepted step as a jar."""
        self._session.refuse(path)
        write_jar(path, self._step(step), parents=True)
        self._session.emit(events.Exported(str(path), path.stat().st_size, "step"))

    def _step(self, step: StepKey) -> Sequence[tuple[str, bytes]]:
        """The entries of the accepted step with these ``bytes`` and ``items``; ``probe`` 0 is the input."""
        if not step.probe:
            return self._session.opened.entries(self._session.opened.full)
        best = self._session.best
        if best is not None and best.bytes == step.bytes and step.items in (best.items.bit_count(), 0):
            return self._session.entries
        if self.place is None:
            raise InputError("The steps of this run are not kept, for there is no session.")
        for row in reversed(history.steps(self.place)):
            if row.bytes == step.bytes and step.items in (row.items, 0) and row.jar is not None:
                return history.entries(self.place, row.number)
        raise InputError("The jar of this step is not kept any more.")

    @property
    def _insights(self) -> RelationFinder:
        lister = self._listed
        if self._insight is None:
            self._insight = RelationFinder(lister)
        return self._insight

    @property
    def _listed(self) -> MemberLister:
        if self._lister is None or self._lister.model is not self._session.model:
            self._lister, self._insight = MemberLister(self._session), None
        return self._lister


def _described(setting: Setting) -> dict[str, Any]:
    default = " ".join(setting.default)
    return {
        "name": setting.name, "title": setting.title, "kind": setting.kind, "required": setting.required,
        "default": default,
    }  # fmt: skip
