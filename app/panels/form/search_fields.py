"""The fields of the search: algorithm, granularity, validity, trust, number of parallel probes."""

from __future__ import annotations

import os
from itertools import groupby
from typing import Any

from PySide6.QtWidgets import QLabel, QSpinBox

from app.panels.form.fields import DeclaredFields, Fields, choice, choose, field_of, form, muted, offer, padded
from app.widgets import column_of, control, made
from app.words import plain
from core.protocol import events
from core.protocol.questions.choosing import OfferedAlgorithm
from core.protocol.setting_marks import Decides
from core.protocol.settings import Settings


class SearchFields(Fields):
    """The algorithm with its explanation, and the settings that algorithms read."""

    def __init__(self) -> None:
        super().__init__()
        self._offered: dict[str, OfferedAlgorithm] = {}
        self.algorithm = choice("algorithm")
        self.explanation = muted()
        self.granularity, validity, trust = choice("granularity"), choice("validity"), choice("trust")
        self.jobs = control(padded(QSpinBox()), "jobs")
        processors = f"this computer has {os.cpu_count() or 1} processors"
        self.jobs.setToolTip(f"Runs at the same time ({processors}); automatic: as many as it is good for")
        self.declared = DeclaredFields(Decides.SEARCH)
        fine = made(QLabel("Granularity"), buddy=self.granularity)
        rows = form()
        rows.addRow("Validity", validity)
        rows.addRow("Trust", trust)
        rows.addRow("Parallel runs", self.jobs)
        column_of(self.algorithm, self.explanation, fine, self.granularity, rows, self.declared, owner=self, spacing=6)
        self.algorithm.currentIndexChanged.connect(self._explain)
        self.own(
            granularity=field_of(self.granularity),
            validity=field_of(validity),
            trust=field_of(trust),
            jobs=field_of(self.jobs),
        )
        self.declared.changed.connect(self.changed)

    def values(self) -> dict[str, Any]:
        """Return the settings of these fields. A setting that the algorithm does not read keeps its default."""
        return self.declared.values() | super().values() | {"algorithm": self.algorithm_name}

    def fill(self, settings: Settings) -> None:
        self.choose_algorithm(settings.algorithm)
        super().fill(settings)
        self.declared.fill(settings)

    def set_algorithms(self, offered: events.Algorithms) -> None:
        """Fill the list of algorithms; the choice stays if it is still offered."""
        chosen = self.algorithm.currentData() or offered.default
        self._offered = {one.name: one for one in offered.offered}
        offer(
            self.algorithm,
            (
                (group, [(plain(one.title), one.name, plain(one.explanation)) for one in members])
                for group, members in groupby(offered.offered, lambda one: one.group)
            ),
        )
        self.choose_algorithm(chosen)
        self._explain()

    def choose_algorithm(self, name: str) -> None:
        """Choose an algorithm by its name on the command line. A name with a slash is added to the list."""
        if not choose(self.algorithm, name) and "/" in name and self.algorithm.count():
            self.algorithm.addItem(name, name)
            choose(self.algorithm, name)

    @property
    def algorithm_name(self) -> str:
        """The name of the chosen algorithm; the default while the engine has not listed any."""
        return str(self.algorithm.currentData() or Settings.algorithm)

    def _explain(self) -> None:
        """Show the explanation of the chosen algorithm, and its options."""
        name = self.algorithm_name
        chosen = self._offered.get(name)
        self.explanation.setText(plain(chosen.explanation) if chosen is not None else "")
        self.declared.show_for(name)
        whole = chosen is None or chosen.by_classes
        row = self.granularity.findData("class")
        item = self.granularity.model().item(row)  # type: ignore[attr-defined]
        item.setEnabled(whole)
        if not whole and self.granularity.currentData() == "class":
            choose(self.granularity, "member")
        self.changed.emit()
