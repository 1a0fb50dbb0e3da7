"""The pages of an open input: the graph, the bug, which tools fail."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QTabWidget, QWidget

from app.bug.bug_view import BugView
from app.bug.tools_view import ToolsView
from app.theme.theme import Theme


class CentrePages(QTabWidget):
    """Three tabs; ``graph`` is the first."""

    def __init__(self, graph: QWidget) -> None:
        super().__init__()
        self.graph, self.bug, self.tools = graph, BugView(), ToolsView()
        self.setDocumentMode(True)
        for one in (self, self.tabBar()):
            one.setAccessibleName("Pages of the input")
        for page, title, tip in (
            (graph, "Graph", "The classes and what they need (Ctrl+1 to Ctrl+5)"),
            (self.bug, "Bug", "The failure in the source of the smallest jar (Ctrl+6)"),
            (self.tools, "Which tools fail", "All installed tools on the same jar (Ctrl+7)"),
        ):
            self.addTab(page, title)
            self.setTabToolTip(self.count() - 1, tip)

    def show_graph(self) -> None:
        """Show the graph."""
        self.setCurrentWidget(self.graph)

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

    def set_theme(self, theme: Theme) -> None:
        """Use the colours of the theme."""
        self.bug.set_theme(theme)
        self.tools.set_theme(theme)
