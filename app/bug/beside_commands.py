"""The commands of the pages beside the graph: the failing tools, reductions that a cell begins."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QObject, Signal

from app.bug.centre import CentrePages
from app.bug.source_dialog import SourceDialog
from app.bug.tools_view import CellWish
from app.bug.versions_dialog import VersionsDialog
from app.engine.controller import Controller
from app.engine.run_state import EngineState
from app.engine.runs import StepSummary
from core.errors import UsageError
from core.protocol import events
from core.protocol.bug_commands import (
    FindSource,
    RunTools,
    RunVersions,
    StopBackground,
)
from core.protocol.settings import Settings

_OWN_COMMAND = (
    "Jarlet knows the versions of a preset's tools. For a command of yours the command line takes the tool's name: "
    "jarlet versions JAR --predicate COMMAND --tool GROUP:ARTIFACT."
)
"""Sentence in the place of the versions of a tool that only the user's command knows."""


class BesideCommands(QObject):
    """The pages' commands to the engine, and the display of its answers. ``settings`` says what the form holds."""

    settings_wanted = Signal(Settings)
    """The form is to be filled."""
    start_wanted = Signal()
    running = Signal(events.BackgroundRuns)
    step_wanted = Signal(StepSummary)
    """The best so far is to be opened as an input of its own."""
    test_wanted = Signal(str, Settings)
    """The best so far is to be written as a test of the project of that name."""

    def __init__(self, controller: Controller, pages: CentrePages, settings: Callable[[], Settings]) -> None:
        super().__init__(pages)
        self._controller, self._pages, self._settings = controller, pages, settings
        self._request = 0
        self._subject = ""
        self._waiting: CellWish | None = None
        self._tools_next = False
        """True if all tools are to be run on the input that is being read."""
        self.versions: VersionsDialog | None = None
        self.source: SourceDialog | None = None
        self._versions = self._sources = 0
        controller.on(events.BackgroundRuns, self.running.emit)
        controller.on(events.ToolsListed, self._listed)
        controller.on(events.ToolRan, self._ran)
        controller.on(events.ToolsRan, self._all_ran)
        controller.on(events.VersionsListed, self._versions_listed)
        controller.on(events.VersionRan, self._version_ran)
        controller.on(events.VersionsRan, self._versions_ran)
        controller.on(events.SourceFound, self._source_found)
        pages.tools.run_wanted.connect(self.run_tools)
        pages.tools.stop_wanted.connect(lambda: self.stop("tools"))
        pages.tools.reduction_wanted.connect(self.reduce)
        pages.bug.versions_wanted.connect(self.show_versions)
        pages.bug.source_wanted.connect(self.show_source)

    def show_graph(self) -> None:
        """Show the graph."""
        self._pages.show_graph()

    def show_bug(self) -> None:
        """Show the failure in the source."""
        self._pages.show_bug()

    def show_tools(self) -> None:
        """Show which tools fail."""
        self._pages.show_tools()

    # -- who fails ----------------------------------------------------------------------

    def jar_opened(self) -> None:
        """Start the reduction that waits for another input, if there is one."""
        self._request += 1
        self._pages.tools.clear()
        wish, self._waiting = self._waiting, None
        tools, self._tools_next = self._tools_next, False
        if wish is not None:
            self._begin(wish)
        elif tools:
            self._pages.show_tools()
            self.run_tools("input")
        elif self._pages.currentWidget() is self._pages.bug:
            self._pages.show_graph()  # the page of the bug is empty

    def run_tools_next(self) -> None:
        """Run all tools on the input that is being read, if one is."""
        self._tools_next = self._controller.state.phase is EngineState.LOADING

    def run_tools(self, subject: str, download: bool = False) -> None:
        """Run all installed tools on the ``input`` or on the ``result``, after a ``download`` of those that are
        missing."""
        if self._controller.state.jar is not None:
            self._request += 1
            self._subject = subject
            self._pages.tools.begin(download)
            self._controller.client.send(RunTools(subject, self._settings().classpath, download, self._request))

    def stop(self, kind: str) -> None:
        """End the runs of a kind: ``tools``, ``versions``, ``java`` and so on."""
        self._controller.client.send(StopBackground(kind))

    def reduce(self, wish: CellWish) -> None:
        """Begin the reduction that a cell stands for, of what the tools were run on."""
        state = self._controller.state
        if state.phase is not EngineState.READY:
            self._controller.told.emit("Stop the reduction before another one begins.", "warning")
            return
        self.stop("tools")
        if self._subject == "result" and len(state.steps) > 1:
            self._waiting = wish
            self.step_wanted.emit(state.best())
        else:
            self._begin(wish)

    def _begin(self, wish: CellWish) -> None:
        now = replace(
            self._settings(), preserve=frozenset(), expect_exit=None, match=None, no_match=None, failures_as=None,
            also_interesting=None,
        )  # fmt: skip
        settings = replace(
            now, predicate="", preset=wish.preset, options=dict(wish.options), failures=wish.failures or None
        )
        self.settings_wanted.emit(settings)
        self._pages.show_bug()
        self.start_wanted.emit()

    def _listed(self, event: events.ToolsListed) -> None:
        if event.request == self._request:
            self._pages.tools.expect(event)

    def _ran(self, event: events.ToolRan) -> None:
        if event.request == self._request:
            self._pages.tools.add(event)

    def _all_ran(self, event: events.ToolsRan) -> None:
        if event.request == self._request:
            self._pages.tools.end(event)

    # -- which versions fail ------------------------------------------------------------

    def show_versions(self) -> None:
        """Show the dialog of the versions, which runs them on a click."""
        if self.versions is None:
            self.versions = VersionsDialog(self._pages)
            self.versions.run_wanted.connect(self.run_versions)
            self.versions.stop_wanted.connect(lambda: self.stop("versions"))
        self.versions.show()
        self.versions.activateWindow()
        if self._preset_settings() is not None:
            self.versions.offer()

    def run_versions(self, every: bool) -> None:
        """Run the versions of the tool, all or as few as needed."""
        assert self.versions is not None
        self._versions += 1
        settings = self._preset_settings()
        if settings is not None:
            self.versions.begin()
            self._controller.client.send(RunVersions(settings, every, self._versions))

    def _preset_settings(self) -> Settings | None:
        """Return the settings of the form; None, once the dialog says why, where they have no versions."""
        assert self.versions is not None
        try:
            settings = self._settings()
        except UsageError as error:
            self.versions.refuse(str(error))
            return None
        if settings.preset is None:
            self.versions.refuse(_OWN_COMMAND)
            return None
        return settings

    def _versions_listed(self, event: events.VersionsListed) -> None:
        if self.versions is not None and event.request == self._versions:
            self.versions.list(event)

    def _version_ran(self, event: events.VersionRan) -> None:
        if self.versions is not None and event.request == self._versions:
            self.versions.add(event)

    def _versions_ran(self, event: events.VersionsRan) -> None:
        if self.versions is not None and event.request == self._versions:
            self.versions.end(event)

    # -- Java source ----------------------------------------------------------------------

    def show_source(self) -> None:
        """Look for Java source that shows the failure of the best so far, and show it."""
        if self.source is None:
            self.source = SourceDialog(self._pages)
            self.source.stop_wanted.connect(lambda: self.stop("java"))
            self.source.test_wanted.connect(self._export_test)
        self.source.show()
        self.source.activateWindow()
        try:
            settings = self._settings()
        except UsageError as error:
            self.source.end(events.SourceFound(problem=str(error)))
            return
        self._sources += 1
        self.source.begin()
        self._controller.client.send(FindSource(settings, settings.source_time or 60.0, self._sources))

    def _export_test(self, project: str) -> None:
        try:
            self.test_wanted.emit(project, self._settings())
        except UsageError as error:
            self._controller.told.emit(str(error), "error")

    def _source_found(self, event: events.SourceFound) -> None:
        if self.source is not None and event.request == self._sources:
            self.source.end(event)
