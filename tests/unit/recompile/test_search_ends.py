"""A search for source in vain says why it ended."""

from __future__ import annotations

import re
from threading import Event as Flag

import pytest

from core.entries import Entries
from core.predicate.verdict import Outcome
from core.recompile.source_maker import SourceMaker
from tests.support.decompilers import no_decompiler as no_decompiler


class NeverAsked:
    """A judge of class files for searches that end before they have any."""

    def probe(self, entries: Entries, seconds: float) -> Outcome:
        raise AssertionError

    def confirm(self, entries: Entries) -> Outcome:
        raise AssertionError


@pytest.mark.parametrize(
    ("seconds", "cancelled", "why"),
    [
        (0.0, False, r"the time of \d+ s ended"),
        (600.0, True, "it was interrupted"),
        (600.0, False, "every way was tried"),
    ],
)
def test_a_search_in_vain_says_why_it_ended(seconds: float, cancelled: bool, why: str) -> None:
    cancel = Flag()
    if cancelled:
        cancel.set()
    result = SourceMaker((), NeverAsked(), (), seconds, cancel).run()
    assert result.found is None
    assert re.search(rf"\({why}: 0 sources that compiled, in 0 runs\)", result.sentence)
