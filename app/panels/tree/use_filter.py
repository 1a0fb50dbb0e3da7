"""The items to show in the tree, by their use in a watched run of the full input."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QComboBox

from app.graph.paint.graph_style import UsedItems
from app.widgets import control


class UseFilter(QComboBox):
    """A choice of items by their use. ``wanted`` = the user has chosen something else than all."""

    wanted = Signal()
    cleared = Signal()

    def __init__(self) -> None:
        super().__init__()
        control(self, "use")
        self.view().setMinimumWidth(170)
        self.setMinimumContentsLength(3)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.currentIndexChanged.connect(lambda _: (self.wanted if self.kind else self.cleared).emit())

    @property
    def kind(self) -> str:
        """Return the kind of use to be shown; empty = all."""
        return str(self.currentData())

    def reset(self) -> None:
        """Show all items again, without a signal."""
        with QSignalBlocker(self):
            self.setCurrentIndex(0)

    def chosen(self, used: UsedItems) -> NDArray[np.bool_] | None:
        """Return the items to show; None = all, or that is not known."""
        ran, loaded = used.ran_or_read(), used.loaded
        return {
            "ran": ran,
            "idle": None if ran is None else ~ran,
            "loaded": loaded,
            "unloaded": None if loaded is None else ~loaded,
            "named": used.named,
        }.get(self.kind)
