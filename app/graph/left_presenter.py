"""Only what is left: the classes that are gone are hidden, and the rest laid out anew as the reduction goes on."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QObject

from app.engine.run_state import ItemState
from app.graph.head import Head
from app.graph.navigation import Navigation
from app.graph.stage import GraphStage
from app.widgets import Soon

_AGAIN_MS = 700
"""While a reduction runs, the rest is laid out at most this often."""


class LeftPresenter(QObject):
    """The presenter of the head's box for the rest of the input. Another view, chosen by the user, ends this mode."""

    def __init__(self, stage: GraphStage, navigation: Navigation, head: Head) -> None:
        super().__init__(stage)
        self._stage, self._navigation, self._head = stage, navigation, head
        self._shown: tuple[int, ...] = ()
        self._soon = Soon(self, _AGAIN_MS, self._follow)
        head.only_left.toggled.connect(self._toggled)
        head.view_wanted.connect(lambda _: self._end())
        navigation.focus_moved.connect(lambda _: self._end())
        stage.states_shown.connect(self._changed)

    def forget(self) -> None:
        """Forget the previous jar: every item is whole."""
        self._shown = ()
        self._end()
        self._head.only_left.hide()

    def _left(self) -> tuple[int, ...]:
        states, jar = self._stage.states, self._stage.jar
        if states is None or jar is None:
            return ()
        return tuple(np.flatnonzero((states != ItemState.GONE) & jar.is_class & (jar.components >= 0)).tolist())

    def _changed(self) -> None:
        states, jar = self._stage.states, self._stage.jar
        some_gone = states is not None and jar is not None and bool((states[jar.is_class] == ItemState.GONE).any())
        self._head.only_left.setVisible(some_gone)
        if not some_gone:
            self._end()
        elif self._head.only_left.isChecked() and not self._soon.isActive() and self._left() != self._shown:
            self._soon.start()

    def _toggled(self, wanted: bool) -> None:
        if wanted:
            self._navigation.remember()
            self._shown = ()
            self._follow()
        elif self._shown:
            self._shown = ()
            self._navigation.back()

    def _follow(self) -> None:
        left = self._left()
        if self._head.only_left.isChecked() and left and left != self._shown:
            self._shown = left
            self._navigation.ask_together(left)

    def _end(self) -> None:
        """End the mode, since the user looks at something else."""
        self._shown = ()
        self._head.only_left.setChecked(False)
