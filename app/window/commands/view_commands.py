"""The view menu: which view of the graph is shown, and how."""

from __future__ import annotations

from collections.abc import Callable

from app.graph.view import GraphView
from app.panels.search_box import SearchBox
from app.window.appearance import Appearance

_CLOSER, _FARTHER = 1.25, 0.8


class ViewCommands:
    """The commands that show views of the graph."""

    def __init__(
        self,
        graph: GraphView,
        search: SearchBox,
        appearance: Appearance,
        show_graph: Callable[[], None],
        go: Callable[[str], None] = lambda name: None,
    ) -> None:
        self._graph, self._search, self._appearance = graph, search, appearance
        self._show_graph, self._go = show_graph, go

    @property
    def shown(self) -> str:
        """The view that is shown."""
        return self._graph.view or "components"

    def packages(self) -> None:
        """Show the package view."""
        self._show("packages")

    def components(self) -> None:
        """Show classes and their strongly connected components."""
        self._show("components")

    def focus(self) -> None:
        """Show the neighbourhood of the selected class."""
        self._show("focus")

    def force(self) -> None:
        """Show the force-directed view."""
        self._show("force")

    def treemap(self) -> None:
        """Show the classes as rectangles of their bytes."""
        self._show("treemap")

    def matrix(self) -> None:
        """Show the dependency structure matrix."""
        self._show("matrix")

    def _show(self, view: str) -> None:
        self._show_graph()
        self._graph.show_view(view)

    def back(self) -> None:
        """Return to the previous view."""
        self._graph.back()

    def open_all(self) -> None:
        """Show the classes of all packages."""
        self._graph.open_all()

    def close_all(self) -> None:
        """Show one card per package."""
        self._graph.close_all()

    def why_kept(self) -> None:
        """Show why the selected class is kept."""
        self._graph.why()

    def tree_asked(self, what: str, item: int) -> None:
        """Show the context menu of the tree."""
        if what in ("focus", "why", "cycle"):
            self._show_graph()
        if what == "focus":
            self._graph.focus(item)
        elif what == "why":
            self._graph.why(item)
        elif what == "cycle":
            self._graph.show_cycle(item)

    def fit(self) -> None:
        """Show the whole graph."""
        self._graph.fit()

    def zoom_in(self) -> None:
        """Enlarge the graph."""
        self._graph.zoom(_CLOSER)

    def zoom_out(self) -> None:
        """Shrink the graph."""
        self._graph.zoom(_FARTHER)

    def find_class(self) -> None:
        """Go to the search field."""
        self._search.focus()

    def go(self, part: str) -> None:
        """Show a list or dock and move the keyboard there."""
        self._go(part)

    def set_minimap(self, wanted: bool) -> None:
        """Show or hide the minimap."""
        self._graph.minimap.set_wanted(wanted)

    def set_dark(self, dark: bool) -> None:
        """Switch between the light and the dark theme."""
        self._appearance.set_dark(dark)
