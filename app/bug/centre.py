"""The pages of an open input: the graph, the bug, which tools fail; and the commands of the pages beside the graph."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QTabWidget

from app.bug.bug_view import BugView
from app.bug.dialogs import SourceDialog, VersionsDialog
from app.bug.source_page import SourcePage
from app.bug.tools_view import CellWish, ToolsView
from app.engine.controller import Controller
from app.engine.run_state import EngineState
from app.engine.runs import StepSummary
from app.graph.scene.scene import NO_SCENE
from app.graph.view import GraphView
from app.presenter import Presenter
from core.errors import UsageError
from core.protocol.questions.background import RunTools, RunVersions, StopBackground
from core.protocol.questions.bug import FindSource
from core.protocol.settings import Settings


class CentrePages(QTabWidget):
    """Tabs; ``graph`` is the first."""

    def __init__(self, graph: GraphView) -> None:
        super().__init__()
        self.graph, self.source, self.bug, self.tools = graph, SourcePage(), BugView(), ToolsView()
        self.bug.graph_of = lambda: (graph.scenes.get("packages", NO_SCENE), graph.stage.states)
        graph.stage.states_shown.connect(lambda: self.bug.graph.set_states(graph.stage.states))
        self.setDocumentMode(True)
        for one in (self, self.tabBar()):
            one.setAccessibleName("Pages of the input")
        for page, title, tip in (
            (graph, "Graph", "The classes and what they need (Ctrl+1 to Ctrl+5)"),
            (self.source, "Source", "The selected class as source or bytecode (Ctrl+6)"),
            (self.bug, "Bug", "The failure in the source of the smallest jar (F7)"),
            (self.tools, "Which tools fail", "All installed tools on the same jar (Ctrl+7)"),
        ):
            self.addTab(page, title)
            self.setTabToolTip(self.count() - 1, tip)

    def show_graph(self) -> None:
        """Show the graph."""
        self.setCurrentWidget(self.graph)

    def show_view(self, view: str) -> None:
        """Show a view of the graph."""
        self.show_graph()
        self.graph.show_view(view)

    def show_source(self) -> None:
        """Show the selected class as text."""
        self.setCurrentWidget(self.source)

    def show_bug(self) -> None:
        """Show the failure in the source."""
        self.setCurrentWidget(self.bug)

    def show_failures(self, names: Sequence[str]) -> None:
        """Show the first of these failures in the source, if there is one."""
        if names:
            self.show_bug()
            self.bug.go_to_failure(names[0])

    def show_tools(self) -> None:
        """Show which tools fail."""
        self.setCurrentWidget(self.tools)


_OWN_COMMAND = (
    "Jarlet knows the versions of a preset's tools. For a command of yours the command line takes the tool's name: "
    "jarlet versions JAR --predicate COMMAND --tool GROUP:ARTIFACT."
)
"""Sentence in the place of the versions of a tool that only the user's command knows."""


class BesideCommands(Presenter):
    """The pages' commands to the engine, and the display of its answers. ``settings`` says what the form holds."""

    settings_wanted = Signal(Settings)
    """The form is to be filled."""
    start_wanted = Signal()
    step_wanted = Signal(StepSummary)
    """The best so far is to be opened as an input of its own."""
    test_wanted = Signal(str, Settings)
    """The best so far is to be written as a test of the project of that name."""

    _controller: Controller
    _pages: CentrePages
    _settings: Callable[[], Settings]

    def _set_up(self) -> None:
        self._subject = ""
        self._waiting: CellWish | None = None
        self._tools_next = False
        """True if all tools are to be run on the input that is being read."""
        self.versions: VersionsDialog | None = None
        self.source: SourceDialog | None = None
        self._pages.tools.run_wanted.connect(self.run_tools)
        self._pages.tools.stop_wanted.connect(lambda: self.stop("tools"))
        self._pages.tools.reduction_wanted.connect(self.reduce)
        self._pages.bug.versions.clicked.connect(self.show_versions)
        self._pages.bug.java.clicked.connect(self.show_source)

    # -- who fails ----------------------------------------------------------------------

    def jar_opened(self) -> None:
        """Start the reduction that waits for another input, if there is one."""
        for dialog in (self.versions, self.source):
            if dialog is not None and dialog.running:
                dialog.end("Stopped: another input was opened.")
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
        if self._controller.has_input:
            self._subject = subject
            self._pages.tools.begin(download)
            self._controller.ask(RunTools(subject, self._settings().classpath, download), self._pages.tools.hear)

    def stop(self, kind: str) -> None:
        """End the runs of a kind: ``tools``, ``versions``, ``java`` and so on."""
        self._controller.client.send(StopBackground(kind))

    def reduce(self, wish: CellWish) -> None:
        """Begin the reduction of a cell, for the input of the tools' last run."""
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
        settings = replace(
            self._settings(), preserve=frozenset(), expect_exit=None, match=None, no_match=None, failures_as=None,
            also_interesting=None, predicate="", preset=wish.preset, options=dict(wish.options),
            failures=wish.failures or None,
        )  # fmt: skip
        self.settings_wanted.emit(settings)
        self._pages.show_bug()
        self.start_wanted.emit()

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
        self._controller.forget(RunVersions)
        settings = self._preset_settings()
        if settings is not None:
            self.versions.begin()
            self._controller.ask(RunVersions(settings, every), self.versions.hear, self.versions.end)

    def _preset_settings(self) -> Settings | None:
        """Return the settings of the form; None if they have no versions: then the dialog has said why."""
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

    # -- Java source ----------------------------------------------------------------------

    def show_source(self) -> None:
        """Look for Java source that shows the failure of the best so far, and show it."""
        if self.source is None:
            self.source = SourceDialog(self._pages)
            self.source.stop_wanted.connect(lambda: self.stop("java"))
            self.source.test_wanted.connect(self._export_test)
        self.source.show()
        self.source.activateWindow()
        self.source.begin()
        try:
            settings = self._settings()
        except UsageError as error:
            self.source.end(str(error))
            return
        self._controller.ask(
            FindSource(settings, settings.source_time or 60.0), self.source.show_found, self.source.end
        )

    def _export_test(self, project: str) -> None:
        try:
            self.test_wanted.emit(project, self._settings())
        except UsageError as error:
            self._controller.told.emit(str(error), "error")
