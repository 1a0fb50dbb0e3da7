"""The way of the Tab key through a window with docks: panel by panel as they are read, past docks behind others."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QMainWindow, QTabBar, QWidget


class OrderedWindow(QMainWindow):
    """A window in which Tab goes through ``panels`` in their order."""

    panels: Sequence[QWidget] = ()

    def focusNextPrevChild(self, next: bool) -> bool:
        now, stops = self.focusWidget(), _stops(self, self.panels)
        if now is not None and now not in stops:
            stops = [now, *stops]  # it has lost its place: the way begins anew
        if not stops:
            return False
        place = stops.index(now) + (1 if next else -1) if now is not None else 0
        reasons = Qt.FocusReason
        stops[place % len(stops)].setFocus(reasons.TabFocusReason if next else reasons.BacktabFocusReason)
        return True


def _stops(window: QMainWindow, panels: Sequence[QWidget]) -> list[QWidget]:
    """Return the widgets that Tab can reach. The tabs of docks come after the dock above them."""
    shown = [panel for panel in panels if not panel.visibleRegion().isEmpty()]
    after: dict[QWidget, QTabBar] = {}
    for bar in window.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly):
        ends = {panel: panel.mapTo(window, panel.rect().bottomLeft()) for panel in shown}
        if ends:
            after[min(ends, key=lambda panel: (ends[panel] - bar.pos()).manhattanLength())] = bar
    found: list[QWidget] = []
    for panel in shown:
        found += filter(_takes_tab, panel.findChildren(QWidget))
        found += filter(_takes_tab, [after[panel]] if panel in after else [])
    return found


def _takes_tab(widget: QWidget) -> bool:
    policy = widget.focusPolicy() & Qt.FocusPolicy.TabFocus == Qt.FocusPolicy.TabFocus
    if not (policy and widget.isVisible() and widget.isEnabled() and widget.focusProxy() is None):
        return False
    group = widget.group() if isinstance(widget, QAbstractButton) else None
    return group is None or group.checkedButton() in (None, widget)  # arrow keys go through the others
