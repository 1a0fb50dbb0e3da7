"""The states of classes and members as a person reads them. No Qt."""

from __future__ import annotations

from app.engine.run_state import ItemState

STATE_WORDS = {
    ItemState.NEEDED: "needed",
    ItemState.SO_FAR: "needed so far",
    ItemState.KEPT: "kept",
    ItemState.TRYING: "being removed",
    ItemState.GONE: "gone",
}

STATE_MEANINGS = {
    ItemState.NEEDED: "the result does not fail without it (full, thick outline)",
    ItemState.SO_FAR: "a run without it did not fail; a later phase may remove it (pale, green outline)",
    ItemState.KEPT: "in the smallest jar so far",
    ItemState.TRYING: "the jar of the current run lacks it (hatched)",
    ItemState.GONE: "no longer in the smallest jar so far (dotted outline, name struck through)",
}

COMPARED_WORDS = {
    ItemState.KEPT: "in both steps",
    ItemState.TRYING: "only in the earlier",
    ItemState.GONE: "in neither",
}
"""Meanings of the states where two steps are compared."""

STEP_WORDS = {ItemState.KEPT: "in this step", ItemState.GONE: "not in this step"}
"""Meanings of the states where one step is shown."""
