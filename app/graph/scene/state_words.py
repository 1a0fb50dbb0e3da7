"""The states of classes and members as a person reads them. No Qt."""

from __future__ import annotations

from app.engine.run_state import ItemState

STATE_WORDS = {
    ItemState.NEEDED: "needed",
    ItemState.KEPT: "kept",
    ItemState.TRYING: "being removed",
    ItemState.GONE: "gone",
}

SO_FAR = {**STATE_WORDS, ItemState.NEEDED: "needed so far"}
"""While the search goes on: what one of its phases needs, another one may not."""


def state_words(ended: bool) -> dict[ItemState, str]:
    """The words while a search goes on, or once it has ``ended``."""
    return STATE_WORDS if ended else SO_FAR


STATE_MEANINGS = {
    ItemState.NEEDED: "a probe without it was not interesting (thick outline)",
    ItemState.KEPT: "in the best so far",
    ItemState.TRYING: "the candidate of the current probe lacks it (hatched)",
    ItemState.GONE: "no longer in the best so far (dotted outline, name struck through)",
}

COMPARED_WORDS = {
    ItemState.KEPT: "in both steps",
    ItemState.TRYING: "only in the earlier",
    ItemState.GONE: "in neither",
}
"""What the states stand for where two steps are compared."""
