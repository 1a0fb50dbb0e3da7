"""A candidate as the driver sees it."""

from __future__ import annotations

from dataclasses import dataclass

from core.reduction.candidate_tester import CandidateTester
from core.reduction.records import SubInput, sub_input_of
from core.search.item_sets import ItemSet
from core.search.questions import Candidate


@dataclass(eq=False, slots=True)
class PreparedCandidate:
    """A candidate with what it keeps, and the hash of its content; no hash if the space turns it down."""

    candidate: Candidate
    items: ItemSet
    key: bytes | None
    tester: CandidateTester
    _finding: SubInput | None = None

    @property
    def finding(self) -> SubInput:
        """The items with their sizes, which are only worked out where they are needed."""
        if self._finding is None:
            self._finding = sub_input_of(self.tester, self.items)
        return self._finding
