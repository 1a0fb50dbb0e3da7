"""The search for a small candidate that shows the chosen failures, before the full input ever runs."""

from __future__ import annotations

from functools import partial

from core.check.check_state import CheckState, Substitute
from core.evidence.failure import FailureReport, mentions
from core.evidence.mentions import ClassNames
from core.evidence.suggestions import around_mentions
from core.model import class_model
from core.plan.phase_elements import suggestions
from core.reduction.elements import PartElements, entry_numbers, jar_of
from core.words import counted

_MOST_CANDIDATES = 3
"""Largest number of candidates that are run. See decisions/028-check-beside-the-search.md."""

_SMALL = 0.1
"""Largest share of the input's bytes that a candidate may have: a larger one may take as long as the input itself.
See decisions/028-check-beside-the-search.md.
"""


def find_substitute(state: CheckState) -> Substitute | None:
    """Return the first small candidate that shows the chosen failures. Candidates surround the classes in their
    names.
    """
    model, chosen = state.model, state.aim.chosen_failures
    named = mentions(ClassNames(model), FailureReport(chosen))
    if not named:
        return None
    assert state.wishes.model_of is not None
    elements = PartElements(state.wishes.model_of(model.jar), entry_numbers(model), state.aim.pinned)
    most = _SMALL * sum(item.bytes for item in model.items)
    found = suggestions(elements, partial(around_mentions, mentions=named))
    small = [suggestion for suggestion in found if elements.bytes_of(suggestion.items) <= most]
    for suggestion in small[:_MOST_CANDIDATES]:
        if state.cancelled:
            break
        entries = elements.entries(suggestion.items)
        _, outcome = state.run_other("ahead", state.predicate, entries)
        if outcome.interesting and set(chosen) <= set(outcome.failures):
            shown = class_model.build(jar_of(entries, model.jar))
            classes = counted(shown.class_items.bit_count(), "class")
            what = f"{classes} around {suggestion.title}, to which the chosen failure's name points, show it"
            return Substitute(shown, f"The full input was not run: {what}.")
    return None
